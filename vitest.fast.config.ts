import { defineConfig } from "vitest/config";
import unitTests, { quick } from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: { include: [...quick], isolate: false, maxWorkers: "100%", testTimeout: 30_000 },
});
