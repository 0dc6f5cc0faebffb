import { describe, expect, test } from "vitest";
import type { StorageAdapter } from "../../../src/storage.js";
import { Ledger } from "../../conformance/ledger.js";
import { key, nodes } from "../../conformance/records.js";

/** Names of outlines that a database may confuse. */
export const outlineNames: readonly string[] = [
	"outline",
	"Outline",
	"outline ",
	" outline",
	"it's",
	'"quoted" `name`',
	'"',
	"'; DROP TABLE outlinekit_nodes; --",
	"%_*?",
	":outline",
	"?1",
	"$1",
	"1",
	"01",
	"1.0",
	"null",
	"\u00e9",
	"e\u0301",
	"\u0001",
	"🌲🌲",
	"\n\t\\",
	"日本語",
	"😀".repeat(127),
	"x".repeat(255),
	`${"x".repeat(254)}y`,
];

/** Expects that a database keeps outlines apart by their exact names, also when it is opened again. */
export async function expectDistinctOutlines(
	open: (outline: string) => StorageAdapter,
	openAgain: (outline: string) => StorageAdapter,
): Promise<void> {
	const ledgers = outlineNames.map((outline) => new Ledger(open(outline)));
	for (const [place, ledger] of ledgers.entries()) {
		await ledger.commit({ put: nodes(3, () => ({ name: `of ${place}` })), point: [key("a", place % 3)] });
		if (place % 2 === 0) await ledger.commit({ remove: [0], drop: place % 3 === 0 ? ["a"] : [] });
	}
	for (const ledger of ledgers) await ledger.checkAll();
	for (const [place, outline] of outlineNames.entries()) {
		ledgers[place]!.storage = openAgain(outline);
		await ledgers[place]!.checkAll();
	}
}

/** Values that no storage takes for the name of an outline. */
const invalidNames = ["", "x".repeat(256), "a\0b", "lone \ud83c", "\udf32", 7, null];

/**
 * Tests that a storage refuses wrong options by name, and wrong databases.
 *
 * @param create - creates a storage with one option
 * @param createOn - creates a storage on a database
 */
export function refusesOptions(
	create: (options: object) => unknown,
	refused: readonly (readonly [option: string, value: unknown])[],
	createOn: (database: unknown) => unknown,
	notDatabases: readonly unknown[],
): void {
	describe("an option that isn't allowed", () => {
		const names = invalidNames.map((name) => ["outline", name] as const);
		test.each([...names, ...refused])("is refused by name: %s = %j", (option, value) => {
			const message = expect.stringContaining(option);
			const error = expect.objectContaining({ name: "OutlineError", code: "invalid_argument", message });
			expect(() => create({ [option]: value })).toThrow(error);
		});

		test.each(notDatabases)("is refused, and so is the database %j", (database) => {
			const error = expect.objectContaining({ name: "OutlineError", code: "invalid_argument" });
			expect(() => createOn(database)).toThrow(error);
		});
	});
}
