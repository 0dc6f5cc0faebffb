import { expect, test } from "vitest";

test("the machine is in the zone of this run", () => {
	// Without one, as among the unit tests, any zone is right.
	const expected = process.env.OUTLINE_EXPECTED_ZONE ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
	for (const moment of [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)]) {
		const options = { dateStyle: "short", timeStyle: "long" } as const;
		const shown = new Intl.DateTimeFormat("en", options).format(moment);
		expect(shown).toBe(new Intl.DateTimeFormat("en", { ...options, timeZone: expected }).format(moment));
	}
});
