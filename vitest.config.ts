import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		testTimeout: 30_000,
	},
	resolve: {
		alias: [
			{ find: /^outlinekit$/, replacement: new URL("./src/index.ts", import.meta.url).pathname },
			{ find: /^outlinekit\/(memory|file)$/, replacement: new URL("./adapters/$1.ts", import.meta.url).pathname },
			{ find: /^outlinekit\/http$/, replacement: new URL("./adapters/http/index.ts", import.meta.url).pathname },
		],
	},
});
