import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

/** Zones of the machine (the outline's zone is another matter) in which a wrong use of local time would show. */
const zones = [
	"UTC",
	"America/New_York",
	"Asia/Kathmandu",
	"Australia/Lord_Howe",
	"Pacific/Kiritimati",
	"Pacific/Pago_Pago",
];

export default defineConfig({
	test: {
		maxWorkers: "100%",
		projects: zones.map((zone) => ({
			resolve: unitTests.resolve ?? {},
			test: {
				name: zone,
				isolate: false,
				testTimeout: 30_000,
				env: { TZ: zone, OUTLINE_EXPECTED_ZONE: zone },
				include: [
					"test/calendar.test.ts",
					"test/date.test.ts",
					"test/target.test.ts",
					"test/time-zone.test.ts",
					"test/markup/time.test.ts",
					"test/search/moments.test.ts",
				],
			},
		})),
	},
});
