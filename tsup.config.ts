import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		index: "src/index.ts",
		live: "src/live/index.ts",
		markup: "src/markup/index.ts",
		memory: "adapters/memory.ts",
		file: "adapters/file.ts",
		indexeddb: "adapters/indexeddb.ts",
		sqlite: "adapters/sqlite.ts",
		postgres: "adapters/postgres.ts",
		http: "adapters/http/index.ts",
		conformance: "test/conformance/index.ts",
	},
	format: "esm",
	target: "es2023",
	platform: "neutral",
	external: [/^node:/],
	removeNodeProtocol: false,
	dts: true,
	sourcemap: true,
	clean: true,
});
