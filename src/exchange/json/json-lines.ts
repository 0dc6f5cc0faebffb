import { calendarForm, isRealDate } from "../../date.js";
import type { Settings } from "../../engine/settings.js";
import { earliest, latest } from "../../engine/unix-time.js";
import { invalidArgument, OutlineError, quoted } from "../../errors.js";
import type { Fields } from "../../fields.js";
import { calendarKey, inboxKey, isId } from "../../id.js";
import { isLayoutMode, layoutModes } from "../../layout-mode.js";
import { newProperties } from "../../operations/create.js";
import { plainName, readFragment, readNote, shortNote } from "../../operations/name.js";
import type { Steps } from "../../pace.js";
import { farthest } from "../../place/priority.js";
import { firstDay, parentKey } from "../../reference/calendar.js";
import { shortcutKey } from "../../reference/reference.js";
import { type Key, type NodeRecord, shortcutGroup, systemGroup } from "../../storage.js";
import type { LossCount } from "../loss.js";
import { parsedJson } from "./json-text.js";

/*
 * The lossless format is JSON Lines. The first line is the header. One line per node and one per key follow:
 *
 * {"format":"outlinekit","version":1,"nodes":1,"keys":1}
 * {"id":"…","parentId":null,"priority":0,"name":"Trip","note":null,"layoutMode":"bullets","createdAt":1,"modifiedAt":1,"completedAt":null,"originId":null}
 * {"key":"home","group":"shortcut","nodeId":"…"}
 */

/** The format's name in the header. */
export const jsonFormat = "outlinekit";
/** The version that is written. It is also the only version that is read. */
export const jsonVersion = 1;

/** The first line of a file. */
export interface JsonHeader {
	readonly format: typeof jsonFormat;
	readonly version: typeof jsonVersion;
	/** The number of nodes that follow. The reader uses it to detect a truncated file. */
	readonly nodes: number;
	readonly keys: number;
}

/** The maximum distance of a priority from 0 in a file. Beyond it, 2^31 more nodes still have room. */
const farthestGiven = farthest / 2;

/**
 * Parses a line as an object.
 *
 * @throws `invalid_argument`
 */
export function* fieldsOfLine(line: string, { limits }: Settings): Steps<Fields> {
	let value: unknown;
	try {
		value = yield* parsedJson(line, limits.properties);
	} catch (error) {
		if (error instanceof OutlineError) throw error;
		throw new OutlineError("invalid_argument", "This is no JSON. Each line must be one JSON object.", { cause: error });
	}
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
	throw new OutlineError("invalid_argument", `This is ${quoted(value)}. Each line must be one JSON object.`);
}

/**
 * Returns the header of a file.
 *
 * @throws `invalid_argument`
 */
export function headerOf({ format, version, nodes, keys, crc32 }: Fields): JsonHeader {
	if (crc32 !== undefined) {
		throw new OutlineError(
			"invalid_argument",
			"This is the file of a storage, not an export of an outline. Open it as a storage, and export its outline.",
		);
	}
	if (format !== jsonFormat || !Number.isSafeInteger(version) || (version as number) < 1) {
		throw new OutlineError(
			"invalid_argument",
			`This is no JSON export of an outline. Its first line must have ${quoted("format")}: ${quoted(jsonFormat)} and a version.`,
		);
	}
	if (version !== jsonVersion) {
		throw new OutlineError(
			"invalid_argument",
			`The file has version ${quoted(version)}, and this program reads version ${jsonVersion}. Import it with a newer one.`,
		);
	}
	return { format, version, nodes: integer("nodes", nodes, 0), keys: integer("keys", keys, 0) };
}

/**
 * Returns a node. If the outline can't keep the name unchanged, the name is read as an update reads it, and
 * counts as lost. For example, a link may have a scheme that isn't allowed.
 *
 * @throws `invalid_argument`
 */
export function* recordOfLine(fields: Fields, settings: Settings, lost: LossCount): Steps<NodeRecord> {
	const {
		id,
		parentId,
		priority,
		name,
		note,
		layoutMode,
		properties,
		createdAt,
		modifiedAt,
		completedAt,
		originId,
		...others
	} = fields;
	for (const field of Object.keys(others)) lost.add(`field ${field}`);
	const fragment = plainName(name, settings, "html") ?? (yield* readFragment(name, settings));
	if (fragment !== name) lost.add("name");
	const short = shortNote(note, settings);
	const text = short === undefined ? yield* readNote(note, settings) : short;
	if (text !== note) lost.add("note");
	if (!isLayoutMode(layoutMode)) throw invalidArgument("layoutMode", layoutMode, `one of ${layoutModes.join(", ")}`);
	return {
		id: idOf("id", id),
		parentId: parentId === null ? null : idOf("parentId", parentId),
		priority: integer("priority", priority, -farthestGiven, farthestGiven),
		name: fragment,
		note: text,
		layoutMode,
		properties: newProperties(properties ?? undefined, settings),
		createdAt: time("createdAt", createdAt),
		modifiedAt: time("modifiedAt", modifiedAt),
		completedAt: completedAt === null ? null : time("completedAt", completedAt),
		originId: originId === null ? null : idOf("originId", originId),
		revision: 0,
	};
}

/**
 * Returns a key.
 *
 * @throws `invalid_argument`, `invalid_reference`, `reserved_key`
 */
export function keyOfLine({ key, group, nodeId, ...others }: Fields, lost: LossCount): Key {
	for (const field of Object.keys(others)) lost.add(`field ${field}`);
	const expected = groupOf(key);
	if (group !== expected) throw invalidArgument("group", group, `${quoted(expected)} for the key ${quoted(key)}`);
	return { key: key as string, group: expected, nodeId: idOf("nodeId", nodeId) };
}

/** Returns the group of a key. */
function groupOf(key: unknown): string {
	if (key === inboxKey || key === calendarKey) return systemGroup;
	if (typeof key === "string" && calendarForm.test(key)) {
		if (!isRealDate(firstDay(key))) throw invalidArgument("key", key, "a date that exists");
		return parentKey(key)!;
	}
	if (shortcutKey(key) !== key) throw invalidArgument("key", key, "a text as the outline keeps it");
	return shortcutGroup;
}

function idOf(field: string, value: unknown): string {
	if (typeof value === "string" && isId(value)) return value.toLowerCase();
	throw invalidArgument(field, value, 'an id such as "0b2f6f0e-6c6e-4c5a-9a3d-5e0f3c1b2a49"');
}

function time(field: string, value: unknown): number {
	return integer(field, value, earliest, latest, ", in Unix seconds");
}

function integer(field: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER, unit = ""): number {
	if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) {
		// JSON has a negative zero, and storages don't.
		return value === 0 ? 0 : value;
	}
	throw invalidArgument(field, value, `an integer from ${least} to ${most}${unit}`);
}
