import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { precache } from "./src/offline/build.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const source = (path: string) => here(`../../${path}`);

export default defineConfig({
	root: here("."),
	// It may be served from any folder.
	base: "./",
	plugins: [precache()],
	resolve: {
		// In this repository the package is compiled along. An application of its own needs none of this:
		// `npm install outlinekit`.
		alias: [
			{ find: /^outlinekit$/, replacement: source("src/index.ts") },
			{ find: /^outlinekit\/(live|markup|sync)$/, replacement: source("src/$1/index.ts") },
			{ find: /^outlinekit\/(indexeddb|memory)$/, replacement: source("adapters/$1.ts") },
		],
	},
	build: {
		target: "es2023",
		sourcemap: true,
		// One file: the start waits for many small ones longer than for all of the code.
		rolldownOptions: { output: { codeSplitting: false } },
		chunkSizeWarningLimit: 1000,
	},
});
