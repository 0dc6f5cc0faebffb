import { join } from "node:path";
import type { Plugin } from "esbuild";
import { bundle } from "./bundle.js";
import { project, root } from "./project.js";

/** What a page loads for a part of the package at its start, in bytes. */
export interface Part {
	/** As the README calls it. */
	readonly name: string;
	/** What it may come to, in kB of 1,000 bytes. */
	readonly limit: number;
	/** Measures it. */
	size(): Promise<number>;
}

/** The core, what of it has nothing to do with markup, and what each other entry point adds to the core. */
export const parts: readonly Part[] = [
	{ name: "`outlinekit`", limit: 51, size: core },
	{ name: "`outlinekit` without what reads and writes markup", limit: 27.5, size: withoutMarkup },
	{ name: "`outlinekit/live`", limit: 2, size: () => added("live") },
	{ name: "`outlinekit/memory`", limit: 6, size: () => added("memory") },
	{ name: "`outlinekit/indexeddb`", limit: 12, size: () => added("indexeddb") },
	{ name: "`outlinekit/http`", limit: 7.3, size: () => added("http") },
	{ name: "`outlinekit/file`", limit: 12, size: () => added("file") },
	{ name: "`outlinekit/sqlite`", limit: 7, size: () => added("sqlite") },
	{ name: "`outlinekit/postgres`", limit: 8, size: () => added("postgres") },
];

const nodeModules: Plugin = {
	name: "modules of Node",
	setup: (build) => build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true })),
};

/** Leaves the markup out, and with it the parser of Markdown: that can only be done with the sources. */
const noMarkup: Plugin = {
	name: "no markup",
	setup: (build) => build.onResolve({ filter: /\/markup\// }, ({ path }) => ({ path, external: true })),
};

let coreSize: Promise<number> | undefined;

function core(): Promise<number> {
	coreSize ??= bundle('export * from "outlinekit";', project).then(({ size }) => size);
	return coreSize;
}

async function withoutMarkup(): Promise<number> {
	return (await bundle('export * from "./index.js";', join(root, "src"), { plugins: [noMarkup] })).size;
}

async function added(name: string): Promise<number> {
	const source = `export * from "outlinekit"; export * as added from "outlinekit/${name}";`;
	return (await bundle(source, project, { plugins: [nodeModules] })).size - (await core());
}
