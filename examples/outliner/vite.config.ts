import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export default defineConfig({
	root: fileURLToPath(new URL(".", import.meta.url)),
	// It may be served from any folder.
	base: "./",
	resolve: {
		// In this repository the package is compiled along. An application of its own needs none of this: `npm install outlinekit`.
		alias: [
			{ find: /^outlinekit$/, replacement: source("src/index.ts") },
			{ find: /^outlinekit\/live$/, replacement: source("src/live/index.ts") },
			{ find: /^outlinekit\/(indexeddb|memory)$/, replacement: source("adapters/$1.ts") },
		],
	},
	build: { target: "es2023", sourcemap: true },
});
