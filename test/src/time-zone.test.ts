import { isMainThread } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";

test("an outline without a zone asks the runtime for the system's only when something has a date", async () => {
	// The first question takes a new process longer than to open an outline and list it.
	const { DateTimeFormat } = Intl;
	let questions = 0;
	Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
		construct(of, given) {
			questions += 1;
			return Reflect.construct(of, given);
		},
	});
	onTestFinished(() => {
		Intl.DateTimeFormat = DateTimeFormat;
	});
	// Another test may have asked for it.
	vi.resetModules();
	const { Outline } = await import("../../src/index.js");
	const outline = new Outline({ storage: createMemoryStorage() });
	const { id } = await outline.create({ name: "a <b>b</b>", note: "c" });
	await outline.update(id, { name: "**d** #tag", format: "markdown" });
	await outline.list();
	await outline.undo();
	expect(questions).toBe(0);
	await outline.create({ name: "e", parent: "today" });
	expect(questions).toBeGreaterThan(0);
});

test.each(["Etc/Unknown", undefined])("without a zone of the system (%s), dates are in UTC", async (timeZone) => {
	const options = vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions");
	onTestFinished(() => {
		options.mockRestore();
		// Other files of this worker get the zone of the machine.
		vi.resetModules();
	});
	options.mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions);
	vi.resetModules();
	const { Outline } = await import("../../src/index.js");
	const outline = new Outline({ storage: createMemoryStorage(), now: () => Date.UTC(2026, 10, 21, 23, 30) });
	const { parentId } = await outline.create({ name: "[2026-11-21 14:30]", parent: "today" });
	expect((await outline.list(parentId)).nodes[0]!.name).toContain('"2026-11-21T14:30+00:00"');
	expect((await outline.get(parentId!)).name).toContain("2026-11-21");
});

// A worker thread, as the mutation tests use it, keeps the zone of the process.
test.runIf(isMainThread)("an outline without a zone follows the system's, as when a device travels", async () => {
	const { TZ } = process.env;
	onTestFinished(() => {
		if (TZ === undefined) delete process.env.TZ;
		else process.env.TZ = TZ;
	});
	process.env.TZ = "Pacific/Pago_Pago";
	const { Outline } = await import("../../src/index.js");
	const outline = new Outline({ storage: createMemoryStorage(), now: () => Date.UTC(2026, 10, 21, 12) });
	expect(outline.today()).toBe("2026-11-21");
	process.env.TZ = "Pacific/Kiritimati";
	expect(outline.today()).toBe("2026-11-22");
	const { name } = await outline.create({ name: "[2026-11-21 14:30]" });
	expect(name).toContain('"2026-11-21T14:30+14:00"');
});

test("the machine has the time zone of this run", () => {
	// Without a zone, as in the unit tests, any zone is right.
	const expected = process.env.OUTLINE_EXPECTED_ZONE ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
	for (const moment of [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)]) {
		const options = { dateStyle: "short", timeStyle: "long" } as const;
		const shown = new Intl.DateTimeFormat("en", options).format(moment);
		expect(shown).toBe(new Intl.DateTimeFormat("en", { ...options, timeZone: expected }).format(moment));
	}
});
