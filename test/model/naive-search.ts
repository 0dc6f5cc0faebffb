import { urlsIn } from "../../src/markup/urls.js";
import { contentOf } from "../../src/node.js";
import { finished } from "../../src/pace.js";
import type { Properties } from "../../src/properties.js";
import type { Hit } from "../../src/search/evaluation.js";
import { fold } from "../../src/search/fold.js";
import { nameText } from "../../src/search/name-text.js";
import { findsValue } from "../../src/search/property-query.js";
import type { Condition, Query } from "../../src/search/query.js";
import type { SearchOptions, TagCount } from "../../src/search/search-index.js";
import { tags, words } from "../../src/search/tokens.js";
import type { NodeRecord } from "../../src/storage.js";

/** A search that looks at every record, and answers like a search index. */
export class NaiveSearch {
	readonly records = new Map<string, NodeRecord>();

	search(query: Query, { within, limit }: SearchOptions): Hit[] {
		const listsMirrors = query.groups
			.flat()
			.some((each) => each.type === "state" && each.state === "mirror" && !each.negated);
		const inside = within === undefined ? new Set(this.records.keys()) : this.#visibleBelow(within);
		const found = [...this.records.values()]
			.filter(({ id }) => inside.has(id))
			.filter((record) => listsMirrors || this.#content(record) === record)
			.filter((record) => query.groups.every((group) => group.some((each) => this.#holds(record, each, query))))
			.map((record) => ({ record, score: this.#score(record, query) }));
		found.sort(
			(left, right) =>
				right.score - left.score ||
				this.#content(right.record).modifiedAt - this.#content(left.record).modifiedAt ||
				(left.record.id < right.record.id ? -1 : 1),
		);
		return found.slice(0, limit).map(({ record, score }) => ({ id: record.id, score }));
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

	tagged(tag: string): string[] {
		return [...this.records.values()]
			.filter((record) =>
				[...this.#tags(record, "name"), ...this.#tags(record, "note")].some((each) => fold(each) === fold(tag)),
			)
			.map(({ id }) => id)
			.sort();
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
			const isMeant = (tag: string) =>
				condition.isPrefix ? tag.startsWith(condition.tag) : `${tag}/`.startsWith(`${condition.tag}/`);
			return fields.some((field) => this.#tags(content, field).some((tag) => isMeant(fold(tag))));
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
		if (condition.state === "mirror") return record.originId !== null;
		if (condition.state === "mirrored")
			return [...this.records.values()].some(({ originId }) => originId === content.id);
		const { name, note } = content;
		return {
			todo: content.layoutMode === "todo",
			completed: content.completedAt !== null,
			note: note !== null && note !== "",
			link: /<a\b/.test(name) || urlsIn(note ?? "").length > 0,
			date: /<time\b/.test(name),
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
