import { defineConfig } from "tsup";
import { writeDeclarations } from "./scripts/declarations.js";
import { joinChunks } from "./scripts/joined-chunks.js";
import { buildProgram } from "./scripts/program.js";

const entry = {
	index: "src/index.ts",
	live: "src/live/index.ts",
	sync: "src/sync/index.ts",
	markup: "src/markup/index.ts",
	memory: "adapters/memory.ts",
	file: "adapters/file.ts",
	indexeddb: "adapters/indexeddb.ts",
	sqlite: "adapters/sqlite.ts",
	postgres: "adapters/postgres.ts",
	http: "adapters/http/index.ts",
	react: "adapters/bindings/react.ts",
	vue: "adapters/bindings/vue.ts",
	svelte: "adapters/bindings/svelte.ts",
	solid: "adapters/bindings/solid.ts",
	conformance: "test/conformance/index.ts",
};

export default defineConfig({
	entry,
	format: "esm",
	target: "es2023",
	platform: "neutral",
	external: [/^node:/],
	// Of nanoid, the core needs one function. The one for browsers runs everywhere. The other one loads `node:crypto`,
	// which takes about a quarter of the time to import the core.
	noExternal: ["nanoid"],
	esbuildOptions: (options) => {
		options.conditions = ["browser"];
	},
	removeNodeProtocol: false,
	clean: true,
	onSuccess: async () => {
		await joinChunks(Object.keys(entry), "dist");
		await writeDeclarations(entry, "dist");
		await buildProgram();
	},
});
