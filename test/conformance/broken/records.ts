import type { NodeRecord } from "../../../src/storage.js";
import { distorting, type Faults } from "./fault.js";

const texts = (change: (text: string) => string) =>
	distorting(({ name, note }) => ({ name: change(name), note: note === null ? null : change(note) }));

const numbers = (change: (value: number) => number) =>
	distorting((record) => {
		const fields = ["priority", "createdAt", "modifiedAt", "completedAt"] as const;
		return Object.fromEntries(
			fields.map((field) => [field, record[field] === null ? null : change(record[field])]),
		) as Partial<NodeRecord>;
	});

/** Storages that don't keep records to the letter. */
export const records: Faults = {
	"normalises Unicode": {
		rejectedBy: [
			"exactness: names and notes are kept",
			"outline: an outline on it returns",
			"exactness: all exact values",
		],
		broken: texts((text) => text.normalize("NFC")),
	},
	"trims texts": { rejectedBy: ["exactness: names and notes are kept"], broken: texts((text) => text.trim()) },
	"removes control characters": {
		rejectedBy: ["exactness: names and notes are kept"],
		broken: texts((text) => text.replaceAll(/[\x01-\x08\x7f]/g, "")),
	},
	"removes characters beyond the first 65,536": {
		rejectedBy: ["exactness: names and notes are kept"],
		broken: texts((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?")),
	},
	"drops a byte order mark": {
		rejectedBy: ["exactness: names and notes are kept"],
		broken: texts((text) => text.replace(/^\ufeff/, "")),
	},
	"removes escapes that it hasn't made": {
		rejectedBy: ["exactness: names and notes are kept"],
		broken: texts((text) => text.replaceAll("\\n", "\n")),
	},
	"cuts texts at 65,535 characters": {
		rejectedBy: ["exactness: very long names", "outline: an outline on it keeps names", "exactness: all exact values"],
		broken: texts((text) => text.slice(0, 65_535)),
	},
	"stores numbers in 32 bits": { rejectedBy: ["exactness: numbers"], broken: numbers((value) => value | 0) },
	"stores numbers in 53 bits less one": {
		rejectedBy: ["exactness: numbers"],
		broken: numbers((value) => (Math.abs(value) > 2 ** 52 ? Math.round(value / 2) * 2 : value)),
	},
	"stores no times before 1970": {
		rejectedBy: ["exactness: numbers"],
		broken: distorting(({ createdAt }) => ({ createdAt: Math.max(0, createdAt) })),
	},
	"returns large numbers as BigInt": {
		rejectedBy: ["exactness: numbers"],
		broken: numbers((value) => (value > 2 ** 31 ? (BigInt(value) as unknown as number) : value)),
	},
	"treats an empty note as none": {
		rejectedBy: ["exactness: null stays null"],
		broken: distorting(({ note }) => ({ note: note || null })),
	},
	"treats the time 0 as none": {
		rejectedBy: ["exactness: null stays null"],
		broken: distorting(({ completedAt }) => ({ completedAt: completedAt || null })),
	},
	"knows only an older set of layout modes": {
		rejectedBy: ["exactness: every layout mode"],
		broken: distorting(({ layoutMode }) => ({ layoutMode: layoutMode === "h3" ? "h2" : layoutMode })),
	},
	"sets the time of modification itself": {
		rejectedBy: ["committing: a commit creates", "outline: an outline on it returns"],
		broken: distorting(() => ({ modifiedAt: 1 })),
	},
	"doesn't keep the revision of a record": {
		rejectedBy: ["changes: changes are the", "committing: a commit creates"],
		broken: distorting(() => ({ revision: 1 })),
	},
};
