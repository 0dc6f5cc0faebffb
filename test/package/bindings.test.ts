import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { short } from "../setup/soak.js";
import { sharedFolder } from "../support/temporary.js";
import { bundle } from "./bundle.js";
import { failure, installed, project, root, tool } from "./project.js";

/** The bindings, and the framework of each. */
const bindings = { react: "react", vue: "vue", svelte: "svelte", solid: "solid-js" };
const hooks = ["useHistory", "useLive", "useNode", "useQuery", "useRows", "useSyncStatus"];

/** A program that uses each binding on a server, and on the way all of its types. */
const program = `
import { Outline, type OutlineNode } from "outlinekit";
import { liveNode, type Rows } from "outlinekit/live";
import { createMemoryStorage } from "outlinekit/memory";
import * as react from "outlinekit/react";
import * as solid from "outlinekit/solid";
import * as svelte from "outlinekit/svelte";
import * as vue from "outlinekit/vue";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createRoot } from "solid-js";
import { get } from "svelte/store";

const outline = new Outline({ storage: createMemoryStorage() });
await outline.create({ name: "a" });
let listeners = 0;
const subscribe = outline.subscribe.bind(outline);
outline.subscribe = (listener) => {
	const stop = subscribe(listener);
	listeners += 1;
	return () => {
		listeners -= 1;
		stop();
	};
};
const read = (outline: Outline) => outline.list();
const seen: unknown[] = [];

function Component(): string {
	const rows: Rows | undefined = react.useRows(outline, { expanded: new Set<string>() });
	const node: OutlineNode | null | undefined = react.useNode(outline, "today");
	const nodes: OutlineNode[] | undefined = react.useQuery(outline, read, [])?.nodes;
	seen.push(rows, node, nodes);
	return String(react.useHistory(outline).canUndo);
}
seen.push(renderToString(createElement(Component)));

createRoot((dispose) => {
	const rows: Rows | undefined = solid.useRows(outline, () => ({ root: "inbox" }))();
	const node: OutlineNode | null | undefined = solid.useNode(outline, () => "today")();
	const nodes: OutlineNode[] | undefined = solid.useQuery(outline, read)()?.nodes;
	seen.push(rows, node, nodes, solid.useHistory(outline).canUndo());
	dispose();
});

const rows: Rows | undefined = get(svelte.useRows(outline, () => ({ root: null })));
const node: OutlineNode | null | undefined = get(svelte.useNode(outline, "today"));
const hits = svelte.useQuery(outline, (outline, words: string) => outline.search(words), () => "a");
const name: string | undefined = hits.current?.[0]?.node.name;
seen.push(rows, node, name, svelte.useHistory(outline).current.canUndo);

const live: OutlineNode | null | undefined = vue.useLive(liveNode(outline, null)).value;
const history: boolean = vue.useHistory(outline).canUndo.value;
seen.push(live, history);

const expected = [undefined, undefined, undefined, "false", undefined, undefined, undefined, false];
expected.push(undefined, undefined, undefined, true, undefined, false);
if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error(JSON.stringify(seen));
if (listeners !== 1) throw new Error(\`\${listeners} listeners\`);
// @ts-expect-error: an option has a wrong type
export const wrong = () => react.useRows(outline, { root: 5 });
`;

const folder = sharedFolder();

/** A project with the package and all frameworks. */
beforeAll(() => {
	const modules = join(folder, "node_modules");
	mkdirSync(join(modules, "@types"), { recursive: true });
	cpSync(installed, join(modules, "outlinekit"), { recursive: true });
	const link = (from: string, name: string) =>
		symlinkSync(join(from, "node_modules", name), join(modules, name), "junction");
	const frameworks = [...Object.values(bindings), "react-dom", "@types/react", "@types/react-dom", "@types/node"];
	for (const name of frameworks) link(root, name);
	for (const name of readdirSync(join(project, "node_modules"))) {
		if (!name.startsWith(".") && name !== "outlinekit" && name !== "@types") link(project, name);
	}
	writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
	writeFileSync(join(folder, "main.ts"), program);
});

const frameworks: Plugin = {
	name: "frameworks",
	setup: (build) =>
		build.onResolve({ filter: /^(react|vue|svelte|solid-js)(\/|$)/ }, ({ path }) => ({ path, external: true })),
};

describe.each(Object.keys(bindings))("outlinekit/%s", (name) => {
	test("adds at most 1.2 kB to a page with live values", async () => {
		const others = 'export * from "outlinekit"; export * as live from "outlinekit/live";';
		const size = async (source: string) => (await bundle(source, project, { plugins: [frameworks] })).size;
		const added = await size(`${others} export * as added from "outlinekit/${name}";`);
		expect(added - (await size(others))).toBeLessThanOrEqual(1200);
	});

	test("has the same names as the others, and needs its framework", () => {
		const check = `const names = Object.keys(await import("outlinekit/${name}")).filter((name) => !name.includes("Suspense"));
if (names.sort().join() !== "${hooks.join()}") throw new Error(names.join());`;
		expect(failure(["--input-type=module", "-e", check], process.execPath, folder)).toBe("");
		expect(failure(["--input-type=module", "-e", check])).toContain(`Cannot find package '${bindings[name as "vue"]}'`);
	});
});

test.each([
	...(short ? [] : [{ version: 5, module: "nodenext", moduleResolution: "nodenext" }]),
	{ version: 7, module: "esnext", moduleResolution: "bundler" },
])("their types are sound with TypeScript $version, and on a server they read nothing", ({ version, ...resolving }) => {
	const compilers: Record<number, string> = { 5: "typescript/bin/tsc", 7: "@typescript/native/bin/tsc" };
	const compilerOptions = {
		...resolving,
		target: "es2023",
		lib: ["es2023", "dom", "dom.iterable"],
		types: ["node"],
		strict: true,
		exactOptionalPropertyTypes: true,
		noUncheckedIndexedAccess: true,
		skipLibCheck: true,
		rootDir: ".",
		outDir: "out",
	};
	writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
	expect(failure([tool(compilers[version]!), "-p", folder], process.execPath, folder)).toBe("");
	writeFileSync(join(folder, "out/package.json"), '{ "type": "module" }');
	expect(failure(["out/main.js"], process.execPath, folder)).toBe("");
});
