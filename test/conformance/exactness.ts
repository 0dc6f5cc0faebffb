import type { Key, NodeRecord } from "../../src/storage.js";
import { assertEqual } from "./assertion.js";
import type { Cases } from "./options.js";
import { idOf, key, node } from "./records.js";

/** Texts that a storage may change, cut or confuse. The core has already removed NUL and lone surrogates. */
export const texts: readonly string[] = [
	"",
	" ",
	"  at both ends\t",
	"two\nlines\n",
	"e\u0301",
	"\u00e9",
	"\u212b",
	"\u00c5",
	"A",
	"a",
	"ß",
	"ss",
	"\ufeffmark",
	"\u200bzero\u200dwidth",
	"\u2028\u2029",
	"\u0001\u0008\u001b\u007f\u0085",
	"\ufffd\uffff\ufffe\ud7ff\ue000",
	"\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{10ffff}",
	"\u0645\u0631\u062d\u0628\u0627 \u202eabc",
	'it\'s "quoted" `so` \\ and \\u0000 \\n %s %_ ? $1 :x @y --',
	"'; DROP TABLE nodes; --",
	"<b>&lt;&amp;</b>",
	"null",
	"NULL",
	"undefined",
	"true",
	"0",
	"1e3",
	"2026-11-21",
	"[1,2]",
	'{"a":1}',
	"__proto__",
	"constructor",
	"toString",
	"hasOwnProperty",
];

/** Tests that stored values stay exactly the same. */
export const exactness: Cases = {
	"names and notes are kept exactly, whatever characters they have": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: texts.map((text, number) => node(number, { name: text, note: text })) });
		await ledger.commit({
			put: texts.map((text, number) => node(number, { name: texts.at(-number - 1)!, note: `${text}${text}` })),
		});
		await ledger.checkAll();
	},
	"properties are kept exactly, set, changed and dropped, also on origins of mirrors": async (trial) => {
		const ledger = await trial.ledger();
		const count = texts.length;
		const put = (shift: number) =>
			Array.from({ length: 2 * count }, (_, number) =>
				node(number, {
					properties: (number + shift) % 5 === 0 ? null : texts[(number + shift) % count]!,
					originId: number < count ? null : idOf(number - count),
				}),
			);
		for (const shift of [0, 1, 2, 7]) {
			await ledger.commit({ put: put(shift) });
			await ledger.checkAll();
		}
		await ledger.commit({ put: [node(0, { properties: `"${"\u20ac".repeat(trial.sizes.characters)}"` })] });
		await ledger.checkAll();
	},
	"keys are kept and compared exactly: case, spaces and the form of accents matter": async (trial) => {
		const ledger = await trial.ledger();
		const names = texts.filter((text) => text !== "");
		const keys: Key[] = [
			...names.map((name, number) => key(name, number, number % 3 === 0 ? name : "shortcut")),
			key("a ", 1),
			key(" a", 2),
			key("x".repeat(256), 3),
			key("\u{1f600}".repeat(128), 4),
		];
		await ledger.commit({ put: names.map((_, number) => node(number)), point: keys });
		await ledger.checkAll();
		await ledger.check(...names.map((name) => ({ type: "keys", group: name }) as const));
		await ledger.commit({ drop: ["a", "\u00e9", "__proto__"] });
		await ledger.checkAll();
		await ledger.check(
			...["a", "\u00e9", "e", "toString", "valueOf"].map((each) => ({ type: "node", at: { key: each } }) as const),
		);
	},
	"numbers are kept exactly: priorities to the limits of safe integers, times in any year": async (trial) => {
		const ledger = await trial.ledger();
		const priorities = [
			Number.MIN_SAFE_INTEGER,
			-(2 ** 40) - 1,
			-(2 ** 31) - 1,
			-(2 ** 31),
			-1,
			0,
			1,
			2 ** 31 - 1,
			2 ** 31,
			2 ** 32 + 1,
			2 ** 40 + 1,
			2 ** 53 - 2,
			Number.MAX_SAFE_INTEGER,
		];
		const times = [-62_135_337_600, -1, 0, 1, 2 ** 31, 2 ** 32, 253_401_264_000];
		const time = (number: number) => times[number % times.length]!;
		await ledger.commit({
			put: priorities.map((priority, number) =>
				node(number, {
					priority,
					createdAt: time(number),
					modifiedAt: time(number + 1),
					completedAt: number % 4 === 0 ? null : time(number + 2),
				}),
			),
		});
		await ledger.checkAll();
		await ledger.check(
			...priorities.flatMap((priority) => [
				{ type: "children", of: null, scope: "own", after: priority } as const,
				{ type: "children", of: null, scope: "own", before: priority, limit: 1, fromLast: true } as const,
			]),
		);
	},
	"null stays null, and empty texts and zeros stay as they are": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({
			put: [node(1, { note: null, completedAt: null }), node(2, { note: "", name: "", completedAt: 0, createdAt: 0 })],
		});
		await ledger.checkAll();
		await ledger.commit({
			put: [node(1, { note: "", name: "", completedAt: 0 }), node(2, { note: null, completedAt: null })],
		});
		await ledger.checkAll();
	},
	"every layout mode is kept": async (trial) => {
		const ledger = await trial.ledger();
		const modes: NodeRecord["layoutMode"][] = ["bullets", "todo", "h1", "h2", "h3", "code-block", "quote-block"];
		await ledger.commit({ put: modes.map((layoutMode, number) => node(number, { layoutMode })) });
		await ledger.commit({ put: [node(0, { layoutMode: "h3" })] });
		await ledger.checkAll();
	},
	"very long names and notes are kept completely": async (trial) => {
		const ledger = await trial.ledger();
		const { characters } = trial.sizes;
		await ledger.commit({
			put: [
				node(1, { name: "abcdefghi\n".repeat(characters / 10), note: "\u{1f600}\u00e9".repeat(characters / 3) }),
				node(2, { name: "\u20ac".repeat(characters) }),
			],
		});
		await ledger.commit({
			put: [node(3, { parentId: idOf(1), originId: idOf(2) }), node(2, { name: "&amp;".repeat(characters) })],
		});
		await ledger.checkAll();
	},
	"all exact values are the same after closing and opening": {
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({
				put: texts.map((text, number) =>
					node(number, { name: text, note: text, priority: Number.MAX_SAFE_INTEGER - number, createdAt: -number }),
				),
				point: texts.filter((text) => text !== "").map((text, number) => key(text, number)),
			});
			await ledger.commit({ put: [node(0, { name: "\u20ac".repeat(trial.sizes.characters) })] });
			await trial.reopen(ledger);
			await ledger.checkAll();
			assertEqual((await ledger.storage.read([])).revision, 2, "the revision");
		},
	},
};
