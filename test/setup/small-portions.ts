import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";
import { seed } from "./soak.js";

const root = fileURLToPath(new URL("../..", import.meta.url)).replaceAll("\\", "/");

/** A constant at the top of a file whose value is a positive integer. */
const constant = /^((?:export )?const (\w+) = )([\d_]+(?: (?:\*\*|<<) \d+)?);$/gm;

/** The names of portions: how much a step, a page or a piece holds, and from which size on work is done in them. */
const portionName = new RegExp(
	`^(?:${[
		"\\w+(?:AtOnce|AtHand|ARound|DrawnAlong|Every|PerCommit|Together|UnderWay|In(?:ARow|Block|Line|Row|Slice|Step))",
		"(?:block|chunk|closing|feed|flush|look|page|part|piece|refused|slice|step|usual|write)(?:Bytes|Characters|Length|Limit|Size|Text)",
		"(?:fetch|fresh|whole)L(?:imit|ength)|few\\w+|first(?:Changes|Room)|kept[A-Z]\\w+|small(?:Commit|Write)",
		"long(?:Line|Node|Run|Tag|Text)|longest(?:Answer|Feed|List|Plain|Whole)|short(?:Answer|Json|Push)|leastRead|manyChanged",
		"most(?:Arguments|Bytes|Children|Nearby|Nodes|Read|Refused|Revised|Siblings|Starts|Text)|piece|slack|slice|stride",
		"checkedLine|lineLength|runLength|commonDepth|compactionFloor|compressedFrom|growth",
	].join("|")})$`,
);

/** Portions that have a least value, and constants that callers notice, which keep their values. */
export const exceptions: Readonly<Record<string, number | "kept">> = {
	// Limits that callers know, and estimates.
	"adapters/http/endpoints/reading.ts mostNodes": "kept",
	"adapters/http/endpoints/reading.ts usualLength": "kept",
	"adapters/record-size.ts mostBytes": "kept",
	"adapters/sqlite/bulk-read.ts longestAnswer": "kept",
	"src/markup/read/links.ts parsedAtOnce": "kept",
	// A longer text of a deleted node doesn't come back with an edit.
	"src/sync/replica/commit-delta.ts longText": "kept",
	// It decides in which order a batch draws ids, which a test compares.
	"src/engine/id-source.ts idsDrawnAlong": "kept",
	// Each half of a chunk that is split has an element.
	"adapters/resident/index/document-index.ts chunkLimit": 2,
	// It grows in place, with 16 elements, before it is split.
	"src/siblings.ts chunkLimit": 16,
	// A power of two.
	"src/verify/id-numbers.ts firstRoom": 8,
	// The first line of a file fits into one read.
	"adapters/file/file-bytes.ts chunkSize": 1000,
	"adapters/file/line-reader.ts leastRead": 1000,
	// A part holds an escape, a reference to a character, a surrogate pair, a number, or the bytes of an id.
	"adapters/file/json-reader.ts usualSize": 8,
	"adapters/http/server/json-text.ts pieceLength": 10,
	"src/exchange/json/json-text.ts sliceLength": 100,
	"src/id.ts bytesAtOnce": 16,
	"src/markup/long-text.ts sliceLength": 50,
	"src/read/search/fold.ts piece": 2,
	"src/read/search/folded-text.ts stride": 2,
	"src/read/search/name-text.ts piece": 50,
	"src/read/search/tokens.ts piece": 2,
	// A node of a JSON export without its long texts fits.
	"src/exchange/json/json-text.ts shortJson": 10_000,
	// The numbers of the documents of an entry have four digits.
	"src/sync/replica/exchange-documents.ts refusedLength": 100,
};

/** Returns the usual values of all portions, by file and name. */
export function allPortions(): Map<string, string> {
	const names = ["src", "adapters"].flatMap((folder) =>
		readdirSync(root + folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
	);
	const files = names.map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(".ts"));
	return new Map(
		files.flatMap((file) =>
			[...readFileSync(root + file, "utf8").matchAll(constant)]
				.filter(([, , name]) => portionName.test(name!))
				.map(([, , name, value]): [string, string] => [`${file} ${name}`, value!]),
		),
	);
}

/** Returns a small value, or the usual one for a part of the portions. It follows from the seed in each worker. */
export function smallValue(portion: string, usual: string): string {
	const least = exceptions[portion] ?? 1;
	const drawn = createHash("sha1").update(`${seed} ${portion}`).digest().readUInt32BE();
	const value = [1, 1, 2, 3, 5, 7][drawn % 7];
	return value === undefined || least === "kept" ? usual : String(Math.max(value, least));
}

/** Loads the package with small portions, so that few nodes and short texts come to the borders of many. */
export function smallPortions(): Plugin {
	return {
		name: "small portions",
		enforce: "pre",
		configResolved: () => console.log(`The small portions follow from seed ${seed}.`),
		transform(text, id) {
			const file = id.startsWith(root) ? id.slice(root.length) : "";
			if (!/^(src|adapters)\/.*\.ts$/.test(file)) return;
			return text.replace(constant, (whole, begin, name, usual) =>
				portionName.test(name) ? `${begin}${smallValue(`${file} ${name}`, usual)};` : whole,
			);
		},
	};
}
