import type { Plugin } from "esbuild";
import { bundle } from "./bundle.js";
import { project } from "./project.js";

/** The bytes that a page loads at its start for an entry point of the package. */
export interface Part {
	/** As the page on performance calls it. */
	readonly name: string;
	/** The limit, in kB of 1,000 bytes. */
	readonly limit: number;
	/** Measures it. */
	size(): Promise<number>;
}

/** The core, and what each other entry point adds to it. Each limit leaves some room. */
export const parts: readonly Part[] = [
	{ name: "`outlinekit`", limit: 32.8, size: core },
	{ name: "`outlinekit/markup`", limit: 27.2, size: () => added("markup") },
	{ name: "`outlinekit/live`", limit: 4.2, size: () => added("live") },
	{ name: "`outlinekit/sync`", limit: 9, size: () => added("sync") },
	{ name: "`outlinekit/memory`", limit: 7.7, size: () => added("memory") },
	{ name: "`outlinekit/indexeddb`", limit: 14.8, size: () => added("indexeddb") },
	{ name: "`outlinekit/http`", limit: 10.4, size: () => added("http") },
	{ name: "`outlinekit/file`", limit: 19.5, size: () => added("file") },
	{ name: "`outlinekit/sqlite`", limit: 14.8, size: () => added("sqlite") },
	{ name: "`outlinekit/postgres`", limit: 9.7, size: () => added("postgres") },
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
