import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { LazyModule } from "../engine/lazy-module.js";
import { ask, type Operation } from "../engine/protocol.js";
import type { Fields } from "../fields.js";
import { type LayoutMode, layoutModeArgument } from "../layout-mode.js";
import { type ContentField, contentOf, nodeView, type OutlineNode, rewritten } from "../node.js";
import { changedProperties, type PropertyChanges, propertiesArgument } from "../properties.js";
import { type NodeReference, nodeReference, notFound } from "../reference/reference.js";
import type { NodeRecord, StoredNode } from "../storage.js";
import { completedArgument } from "./create.js";
import type { Texts } from "./merged-update.js";
import {
	formatArgument,
	type NameContent,
	plainName,
	readContent,
	readNote,
	shortNote,
	type TextFormat,
} from "./name.js";
import { noIds, type Prepared, preparedFrom } from "./prepared.js";

const mergeModule = new LazyModule("The merge of texts", () => import("./merged-update.js"));

/** The input of `Outline.update`. An absent field stays as it is. Spec §4.2. */
export interface UpdateInput {
	/** An HTML fragment with the tags of spec §2.1, unless `format` says otherwise. */
	name?: string | undefined;
	/**
	 * The format of the name. `markdown` must make one node; its layout prefix, if any, sets the layout mode
	 * and the completion. `text` has no markup. Default `html`.
	 */
	format?: TextFormat | undefined;
	/** Plain text; `null` clears it. */
	note?: string | null | undefined;
	/** The new layout mode. Overrides a layout prefix in a `markdown` name. */
	layoutMode?: LayoutMode | undefined;
	/** Changes of properties: a JSON value for each key to set, `null` for each key to drop. */
	properties?: PropertyChanges | undefined;
	/**
	 * The name and the note that the edit began from, as they were read. If another edit has changed them since, the
	 * two are merged word by word. If both change the same words, replace words side by side, or insert at one
	 * place, the update is refused. It is also refused if the merged text is longer than the limit.
	 */
	base?:
		| {
				/** The name that `name` is an edit of. */
				name?: string | undefined;
				/** The note that `note` is an edit of. */
				note?: string | null | undefined;
		  }
		| undefined;
	/**
	 * `true` completes the node (a completed node keeps its timestamp), `false` makes it open again. Overrides
	 * the prefix of a `markdown` name.
	 */
	completed?: boolean | undefined;
}

/** Checks and prepares an `update`. @throws `invalid_argument`, and the errors of a reference */
export function prepareUpdate(call: Call, fields: Fields, ref: unknown): Prepared<OutlineNode> {
	const { name, note, layoutMode, properties, completed, format } = fields;
	const reference = nodeReference(ref, call);
	// A copy, because it is read after its module has been loaded.
	const base = typeof fields.base === "object" && fields.base !== null ? { ...fields.base } : fields.base;
	const mode = layoutModeArgument(layoutMode);
	const nameFormat = formatArgument(format, "html");
	const given = completedArgument(completed);
	const { limits } = call.settings;
	const changedKeys = propertiesArgument(properties, limits.properties);
	const preparedWith = (
		parsedName: NameContent | undefined,
		newNote: string | null | undefined,
		baseTexts?: Texts,
	): Prepared<OutlineNode> => {
		const isCompleted = given ?? parsedName?.completed;
		return {
			newIds: noIds,
			run: (changes) => {
				const change = (texts: Texts) =>
					changeContent(changes, reference, call.seconds, ({ completedAt, properties }) => ({
						name: texts.name,
						note: texts.note,
						layoutMode: parsedName === undefined ? mode : parsedName.layoutMode,
						properties: changedKeys && changedProperties(properties, changedKeys, limits.properties),
						completedAt: isCompleted ? (completedAt ?? call.seconds) : isCompleted === undefined ? undefined : null,
					}));
				const texts = { name: parsedName?.name, note: newNote };
				if (baseTexts === undefined) return change(texts);
				return mergeModule.loaded.changeMerged(reference, baseTexts, texts, limits, change);
			},
		};
	};
	const plain = name === undefined ? undefined : plainName(name, call.settings, nameFormat);
	const short = note === undefined ? undefined : shortNote(note, call.settings);
	const isShort = (name === undefined || plain !== undefined) && (note === undefined || short !== undefined);
	if (isShort && base === undefined) {
		return preparedWith(
			plain === undefined ? undefined : { name: plain, layoutMode: mode, completed: undefined },
			short,
		);
	}
	return preparedFrom(call, function* () {
		const baseTexts = base === undefined ? undefined : (yield* mergeModule.needed()).baseArgument({ ...fields, base });
		const newNote = note === undefined ? undefined : yield* readNote(note, call.settings);
		return preparedWith(
			name === undefined ? undefined : yield* readContent(name, mode, call.settings, nameFormat),
			newNote,
			baseTexts,
		);
	});
}

/** New values of the fields that a mirror shares with its origin. */
export type Content = { readonly [F in ContentField]?: NodeRecord[F] | undefined };

/**
 * Changes the content that a node shows: its own, or its origin's if it is a mirror (spec §2.2, §4.2). An
 * undefined field stays as it is. If nothing differs, nothing is written.
 */
export function* changeContent(
	changes: Changes,
	reference: NodeReference,
	seconds: number,
	contentFor: (current: NodeRecord) => Content,
): Operation<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	const before = contentOf(node);
	const {
		name = before.name,
		note = before.note,
		layoutMode = before.layoutMode,
		properties = before.properties,
		completedAt = before.completedAt,
	} = contentFor(before);
	if (
		name === before.name &&
		note === before.note &&
		layoutMode === before.layoutMode &&
		properties === before.properties &&
		completedAt === before.completedAt
	) {
		return nodeView(node);
	}
	const after = rewritten(before, { name, note, layoutMode, properties, completedAt }, seconds);
	changes.put(before, after);
	return nodeView(withContent(node, after));
}

function withContent(node: StoredNode, content: NodeRecord): StoredNode {
	const { record, origin, mirrorIds } = node;
	return origin === null ? { record: content, origin, mirrorIds } : { record, origin: content, mirrorIds };
}
