import type { Plugin } from "esbuild";
import { bundle } from "./bundle.js";
import { project } from "./project.js";

/** What a page loads for a part of the package at its start, in bytes. */
export interface Part {
	/** As the README calls it. */
	readonly name: string;
	/** What it may come to, in kB of 1,000 bytes. */
	readonly limit: number;
	/** Measures it. */
	size(): Promise<number>;
}

/** The core, and what each other entry point adds to it. */
export const parts: readonly Part[] = [
	{ name: "`outlinekit`", limit: 25, size: core },
	{ name: "`outlinekit/markup`", limit: 23, size: () => added("markup") },
	{ name: "`outlinekit/live`", limit: 2, size: () => added("live") },
	{ name: "`outlinekit/memory`", limit: 6, size: () => added("memory") },
	{ name: "`outlinekit/indexeddb`", limit: 12, size: () => added("indexeddb") },
	{ name: "`outlinekit/http`", limit: 7.5, size: () => added("http") },
	{ name: "`outlinekit/file`", limit: 12, size: () => added("file") },
	{ name: "`outlinekit/sqlite`", limit: 7, size: () => added("sqlite") },
	{ name: "`outlinekit/postgres`", limit: 8, size: () => added("postgres") },
];

const nodeModules: Plugin = {
	name: "modules of Node",
	setup: (build) => build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true })),
};

let coreSize: Promise<number> | undefined;

function core(): Promise<number> {
	coreSize ??= bundle('export * from "outlinekit";', project).then(({ size }) => size);
	return coreSize;
}

async function added(name: string): Promise<number> {
	const source = `export * from "outlinekit"; export * as added from "outlinekit/${name}";`;
	return (await bundle(source, project, { plugins: [nodeModules] })).size - (await core());
}
