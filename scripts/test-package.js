import { execFileSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage, npm, root } from "./install.js";

/** A program that a user of the package might write, in what JavaScript and TypeScript share. */
const consumer = `
import { Outline, OutlineError } from "outlinekit";
import { storageConformance } from "outlinekit/conformance";
import { createFileStorage } from "outlinekit/file";
import { createHttpHandler } from "outlinekit/http";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { liveRows } from "outlinekit/live";
import { createMemoryStorage } from "outlinekit/memory";
import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import { createSqliteStorage } from "outlinekit/sqlite";

const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
const node = await outline.create({ name: "**Hello**" });
if (node.name !== "<b>Hello</b>") throw new Error(node.name);
const error = await outline.get("nowhere").then(() => undefined, (thrown) => thrown);
if (!(error instanceof OutlineError) || error.code !== "not_found") throw new Error("no typed error");
const handler = createHttpHandler({ authenticate: (key) => (key === "k" ? outline : null) });
const response = await handler(new Request("http://x/api/v1/nodes/" + node.id, { headers: { authorization: "Bearer k" } }));
if (response.status !== 200) throw new Error(String(response.status));
const live = liveRows(outline);
await live.ready;
if (live.current.rows[0]?.node.id !== node.id) throw new Error("no rows");
const inBrowser = new Outline({ storage: createIndexedDbStorage("outline") });
const absent = await inBrowser.list().then(() => undefined, (thrown) => thrown);
if (absent?.code !== "storage_unavailable") throw new Error("IndexedDB isn't missed");
if (postgresSchema().length < 5) throw new Error("no schema");
for (const create of [createSqliteStorage, createPostgresStorage]) {
	let refusal;
	try {
		Reflect.apply(create, undefined, [undefined, { outline: "x" }]);
	} catch (error) {
		refusal = error;
	}
	if (!(refusal instanceof OutlineError)) throw new Error("one class of errors for all entry points");
}
let tests = 0;
storageConformance({
	test: () => {
		tests += 1;
	},
	create: () => createMemoryStorage(),
	traits: { durable: "in memory", multiProcess: "in memory", watch: true, peek: true },
});
if (tests < 30) throw new Error("no tests");
const kept = new Outline({ storage: createFileStorage("outline.jsonl") });
await kept.create({ name: "x", parent: "today" });
await kept.close();
`;

buildPackage();
const directory = mkdtempSync(join(tmpdir(), "outlinekit-package-"));
try {
	const tarball = pack();
	run("publint", tarball, "--strict");
	run("attw", tarball, "--profile", "esm-only");
	useIt(tarball);
	console.log("The packed package is sound, and works from JavaScript and TypeScript.");
} finally {
	rmSync(directory, { recursive: true, force: true });
}

function pack() {
	if (npm("pack", "--silent", "--ignore-scripts", "--pack-destination", directory) !== 0)
		throw new Error("npm pack failed");
	return join(
		directory,
		readdirSync(directory).find((name) => name.endsWith(".tgz")),
	);
}

/** Lays the packed package into an empty project, beside its dependencies, and uses it there. */
function useIt(tarball) {
	const project = join(directory, "project");
	const modules = join(project, "node_modules");
	mkdirSync(modules, { recursive: true });
	execFileSync("tar", ["-xzf", tarball, "-C", modules]);
	renameSync(join(modules, "package"), join(modules, "outlinekit"));
	const { dependencies } = JSON.parse(readFileSync(join(modules, "outlinekit", "package.json"), "utf8"));
	for (const name of [...Object.keys(dependencies), "@types/node", "undici-types"]) {
		if (name.includes("/")) mkdirSync(join(modules, name.split("/")[0]), { recursive: true });
		symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
	}
	writeFileSync(join(project, "package.json"), '{ "type": "module" }');
	writeFileSync(join(project, "main.js"), consumer);
	writeFileSync(join(project, "main.ts"), consumer);
	execFileSync(process.execPath, ["main.js"], { cwd: project, stdio: "inherit" });
	for (const [module, resolution] of [
		["nodenext", "nodenext"],
		["esnext", "bundler"],
	]) {
		const options = [
			"--noEmit",
			"--strict",
			"--target",
			"es2023",
			"--module",
			module,
			"--moduleResolution",
			resolution,
		];
		run("tsc", ...options, "--types", "node", join(project, "main.ts"));
	}
}

function run(tool, ...args) {
	const scripts = {
		publint: "publint/src/cli.js",
		attw: "@arethetypeswrong/cli/dist/index.js",
		tsc: "typescript/bin/tsc",
	};
	execFileSync(process.execPath, [join(root, "node_modules", scripts[tool]), ...args], { cwd: root, stdio: "inherit" });
}
