import { isoDateTime, isRealDate } from "../../src/date.js";
import { tagsIn } from "../../src/markup/tags.js";
import { urlsIn } from "../../src/markup/urls.js";
import { contentOf } from "../../src/node.js";
import { finished } from "../../src/pace.js";
import type { Properties } from "../../src/properties.js";
import type { Hit } from "../../src/read/search/evaluation.js";
import { fold } from "../../src/read/search/fold.js";
import { momentOf } from "../../src/read/search/moments.js";
import { nameText } from "../../src/read/search/name-text.js";
import type { HitRanges, TextRange } from "../../src/read/search/options.js";
import { findsValue } from "../../src/read/search/property-query.js";
import type { Condition, Query } from "../../src/read/search/query.js";
import type { SearchOptions, TagCount } from "../../src/read/search/search-index.js";
import { tags, words } from "../../src/read/search/tokens.js";
import type { NodeRecord } from "../../src/storage.js";

/** A search that looks at every record, and answers like a search index. */
export class NaiveSearch {
	readonly records = new Map<string, NodeRecord>();
	/** The ids of the nodes of calendar keys. */
	readonly calendar = new Map<string, string>();
	readonly #timeZone: string;

	constructor(timeZone = "UTC") {
		this.#timeZone = timeZone;
	}

	search(query: Query, { within, limit, order }: SearchOptions): Hit[] {
		const listsMirrors = query.groups
			.flat()
			.some((each) => each.type === "state" && each.state === "mirror" && !each.negated);
		const inside = within === undefined ? new Set(this.records.keys()) : this.#visibleBelow(within);
		const found = [...this.records.values()]
			.filter(({ id }) => inside.has(id))
			.filter((record) => listsMirrors || this.#content(record) === record)
			.filter((record) => query.groups.every((group) => group.some((each) => this.#holds(record, each, query))))
			.map((record) => ({
				record,
				score: this.#score(record, query),
				date: order === "date" ? this.#firstDate(record, query) : undefined,
			}));
		found.sort(
			(left, right) =>
				(left.date?.moment ?? 1e15) - (right.date?.moment ?? 1e15) ||
				right.score - left.score ||
				this.#content(right.record).modifiedAt - this.#content(left.record).modifiedAt ||
				(left.record.id < right.record.id ? -1 : 1),
		);
		return found
			.slice(0, limit)
			.map(({ record: { id }, score, date }) => (date === undefined ? { id, score } : { id, score, date: date.date }));
	}

	/** The words and tags of a query in the texts of a node. */
	ranges(id: string, query: Query): HitRanges {
		const { name, note, layoutMode } = this.#content(this.records.get(id)!);
		const { text, prose } = finished(nameText(name));
		return {
			name: query.scope === "note" ? [] : marked(text, layoutMode === "code-block" ? "" : prose, query),
			note: marked(note ?? "", note ?? "", query),
		};
	}

	tags(): TagCount[] {
		const bearers = new Map<string, { tag: string; count: number }>();
		const byCreation = [...this.records.values()].sort(
			(left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1),
		);
		for (const record of byCreation) {
			const all = [...this.#tags(record, "name"), ...this.#tags(record, "note")];
			const seen = new Set<string>();
			for (const tag of all) {
				if (seen.has(fold(tag))) continue;
				seen.add(fold(tag));
				const known = bearers.get(fold(tag));
				if (known === undefined) bearers.set(fold(tag), { tag, count: 1 });
				else known.count += 1;
			}
		}
		return [...bearers]
			.sort(([left, a], [right, b]) => b.count - a.count || (left < right ? -1 : 1))
			.map(([, count]) => count);
	}

	#content(record: NodeRecord): NodeRecord {
		const origin = (record.originId !== null && this.records.get(record.originId)) || null;
		return contentOf({ record, origin, mirrorIds: [] });
	}

	/** The tags of a node that has content of its own. */
	#tags(record: NodeRecord, field: "name" | "note"): string[] {
		if (this.#content(record) !== record) return [];
		if (field === "note") return tags(record.note ?? "");
		return record.layoutMode === "code-block" ? [] : tags(finished(nameText(record.name)).prose);
	}

	/** The dates of a node, and their times. */
	#dates(record: NodeRecord): { date: string; moment: number }[] {
		const { name, note, layoutMode } = this.#content(record);
		const dates = Array.from(name.matchAll(/<time datetime="([^"]*)"/g), ([, datetime]) => datetime!);
		for (const text of [layoutMode === "code-block" ? "" : finished(nameText(name)).prose, note ?? ""]) {
			for (const [, day, hour, minute] of text.matchAll(/\[(\d{4}-\d\d-\d\d)(?: ([01]\d|2[0-3]):([0-5]\d))?\]/g)) {
				const [year, month, dayOfMonth] = day!.split("-").map(Number) as [number, number, number];
				const date = { year, month, day: dayOfMonth };
				if (!isRealDate(date)) continue;
				dates.push(hour === undefined ? day! : isoDateTime(date, Number(hour), Number(minute), this.#timeZone));
			}
		}
		return dates.map((date) => ({ date, moment: momentOf(date, this.#timeZone)! }));
	}

	/** The first date that a term of the query finds, or else the first date. */
	#firstDate(record: NodeRecord, { groups }: Query): { date: string; moment: number } | undefined {
		const dates = this.#dates(record).sort((left, right) => left.moment - right.moment);
		const asked = groups.flat().filter(({ negated }) => !negated);
		const isAsked = (moment: number) => asked.some((each) => each.type === "dated" && isWithin(moment, each));
		return dates.find(({ moment }) => isAsked(moment)) ?? dates[0];
	}

	#visibleBelow(root: string): Set<string> {
		const inside = new Set([root]);
		for (let size = 0; size < inside.size; ) {
			size = inside.size;
			for (const { id, parentId, originId } of this.records.values()) {
				if (parentId !== null && inside.has(parentId) && this.records.has(parentId)) inside.add(id);
				if (inside.has(id) && originId !== null && this.records.has(originId)) inside.add(originId);
			}
		}
		return inside;
	}

	#holds(record: NodeRecord, condition: Condition, query: Query): boolean {
		return this.#holdsUnnegated(record, condition, query) !== condition.negated;
	}

	#holdsUnnegated(record: NodeRecord, condition: Condition, { scope }: Query): boolean {
		const content = this.#content(record);
		if (condition.type === "words") return this.#best(content, condition, scope) > 0;
		if (condition.type === "tag") {
			const fields = scope === "note" ? (["note"] as const) : (["name", "note"] as const);
			return fields.some((field) => this.#tags(content, field).some((tag) => hasTag(condition, tag)));
		}
		if (condition.type === "link") return linksOf(content).includes(condition.shortId);
		if (condition.type === "property") {
			const found = Object.entries(JSON.parse(content.properties ?? "{}") as Properties).filter(
				([key]) => fold(key) === condition.key,
			);
			return found.some(([, value]) => condition.value === undefined || findsValue(condition.value, value));
		}
		if (condition.type === "date") {
			const moment = condition.field === "createdAt" ? record.createdAt : content[condition.field];
			return moment !== null && condition.from <= moment && moment < condition.before;
		}
		if (condition.type === "dated") {
			const isEntry = [...this.calendar.values()].includes(content.id);
			return !isEntry && this.#dates(record).some(({ moment }) => isWithin(moment, condition));
		}
		if (condition.state === "mirror") return record.originId !== null;
		if (condition.state === "mirrored")
			return [...this.records.values()].some(({ originId }) => originId === content.id);
		const { name, note } = content;
		return {
			todo: content.layoutMode === "todo",
			completed: content.completedAt !== null,
			note: note !== null && note !== "",
			link: /<a\b/.test(name) || urlsIn(note ?? "").length > 0,
			date: this.#dates(record).length > 0,
		}[condition.state];
	}

	#score(record: NodeRecord, { groups, scope }: Query): number {
		let score = 0;
		for (const condition of groups.flat()) {
			if (condition.type === "words" && !condition.negated)
				score += this.#best(this.#content(record), condition, scope);
		}
		return score;
	}

	/** The score of the best place of a phrase in a node; 0 if it isn't there. */
	#best(record: NodeRecord, condition: Condition & { type: "words" }, scope: "text" | "note"): number {
		const texts = [
			{ text: words(finished(nameText(record.name)).text), whole: 4, beginning: 2, searched: scope === "text" },
			{ text: words(record.note ?? ""), whole: 3, beginning: 1, searched: true },
		];
		const asked = condition.words;
		const scores = texts.flatMap(({ text, whole, beginning, searched }) =>
			text.map((_, start) => {
				const there = text.slice(start, start + asked.length);
				const bonus = asked.length / (1 + text.length);
				if (!searched || there.length < asked.length) return 0;
				if (there.slice(0, -1).join(" ") !== asked.slice(0, -1).join(" ")) return 0;
				if (there.at(-1) === asked.at(-1)) return whole + bonus;
				return condition.lastIsPrefix && there.at(-1)!.startsWith(asked.at(-1)!) ? beginning + bonus : 0;
			}),
		);
		return Math.max(0, ...scores);
	}
}

/** The short ids in the targets of a name's links. */
function linksOf({ name }: NodeRecord): string[] {
	return Array.from(name.matchAll(/<a href="#\/([0-9a-f]{12})">/g), ([, shortId]) => shortId!);
}

function hasTag({ isPrefix, tag }: Condition & { type: "tag" }, written: string): boolean {
	return isPrefix ? fold(written).startsWith(tag) : `${fold(written)}/`.startsWith(`${tag}/`);
}

function isWithin(moment: number, { from, before }: { from: number; before: number }): boolean {
	return from <= moment && moment < before;
}

/** The ranges of a text that a query asks for: marks each character, and joins the marks. */
function marked(text: string, prose: string, { groups }: Query): TextRange[] {
	const marks: boolean[] = [];
	const mark = (start: number, end: number) => marks.fill(true, start, end);
	marks.length = text.length;
	marks.fill(false);
	const folded = fold(text);
	const lengths = Array.from({ length: text.length + 1 }, (_, at) => {
		const head = fold(text.slice(0, at));
		return head + fold(text.slice(at)) === folded ? head.length : Number.NaN;
	});
	const startOf = (at: number) => lengths.findLastIndex((length) => length <= at);
	const endOf = (at: number) => {
		const length = lengths.find((each) => each >= at);
		return lengths.lastIndexOf(length!);
	};
	let read = 0;
	const found = words(text).map((word) => {
		const at = folded.indexOf(word, read);
		read = at + word.length;
		return { word, at };
	});
	for (const condition of groups.flat().filter(({ negated }) => !negated)) {
		if (condition.type === "tag") {
			for (const { tag, start, end } of tagsIn(prose)) if (hasTag(condition, tag)) mark(start, end);
		}
		if (condition.type !== "words") continue;
		const last = condition.words.at(-1)!;
		for (const [start, { at }] of found.entries()) {
			const there = found.slice(start, start + condition.words.length);
			if (there.length < condition.words.length) continue;
			const end = there.at(-1)!;
			const isLast = condition.lastIsPrefix ? end.word.startsWith(last) : end.word === last;
			const isAll = condition.words.slice(0, -1).every((word, index) => there[index]!.word === word);
			if (isAll && isLast) mark(startOf(at), endOf(end.at + last.length));
		}
	}
	const starts = marks.flatMap((is, at) => (is && !marks[at - 1] ? [at] : []));
	return starts.map((start) => {
		const end = marks.indexOf(false, start);
		return { start, end: end === -1 ? text.length : end };
	});
}
