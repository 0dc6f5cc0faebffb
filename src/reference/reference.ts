import { calendarForm } from "../date.js";
import type { Call } from "../engine/call.js";
import type { Settings } from "../engine/settings.js";
import { invalidArgument, OutlineError, quoted } from "../errors.js";
import { calendarKey, inboxKey, isId, isShortId } from "../id.js";
import { normalizeText } from "../markup/text.js";
import type { Locator } from "../storage.js";
import { comparable, isAddress, withoutSlashes } from "./address.js";
import { calendarKeyOf, dayWords } from "./calendar.js";

/**
 * A text that names a node: an id, a short id, a shortcut, `inbox` or a calendar key. Calendar keys are
 * `calendar`, `today`, `tomorrow`, `next_week`, `YYYY`, `YYYY-MM` and `YYYY-MM-DD`. A parent may also be
 * `None` or a node address. Editors complete the fixed words. Spec §2.4.
 */
export type ReferenceText = "inbox" | "calendar" | "today" | "tomorrow" | "next_week" | (string & Record<never, never>);

/** A parsed reference, not looked up yet (spec §2.4). All calendar keys have the form `calendar`. */
export type Reference =
	| { readonly form: "root" }
	| { readonly form: "id" | "short id" | "address" | "shortcut"; readonly text: string; readonly at: Locator }
	| { readonly form: "inbox" | "calendar"; readonly text: string; readonly at: { readonly key: string } };

/** A reference to a node: any form but the top level. */
export type NodeReference = Exclude<Reference, { form: "root" }>;

/**
 * Parses the reference to the node that an operation works on.
 *
 * @param parameter - names it in errors
 * @throws `invalid_argument` `invalid_reference` `unsupported_reference`
 */
export function nodeReference(value: unknown, call: Call, parameter = "the reference"): NodeReference {
	const known = idReference(value) ?? namedReference(parameter, value, call);
	if (known !== undefined) return known;
	const reference = parseReference(parameter, value, call);
	if (reference.form === "root" || reference.form === "address") {
		const given = reference.form === "root" ? '"None" (the top level)' : `The address ${quoted(value)}`;
		throw new OutlineError(
			"unsupported_reference",
			`${given} can't be the node to work on. Give its id, its short id, a shortcut, "inbox" or a calendar key.`,
		);
	}
	return reference;
}

/** Parses a reference that is a full id, as most are, without the call. Undefined for any other reference. */
function idReference(value: unknown): NodeReference | undefined {
	if (typeof value !== "string" || !isId(value)) return undefined;
	return { form: "id", text: value, at: { id: value.toLowerCase() } };
}

/**
 * Parses a name that a batch has given to a node. Undefined if the value has another form.
 *
 * @throws `invalid_argument` for an unknown name
 */
function namedReference(parameter: string, value: unknown, { named }: Call): NodeReference | undefined {
	if (named === undefined || typeof value !== "object" || value === null || !("as" in value)) return undefined;
	const { as: name } = value;
	if (typeof name !== "string" || !named.known(name)) {
		throw new OutlineError(
			"invalid_argument",
			`${capital(parameter)} is { as: ${quoted(name)} }, but no earlier operation of the batch has this name.`,
		);
	}
	// A getter, because the node doesn't exist yet.
	return {
		form: "id",
		text: name,
		get at() {
			return { id: named.idOf(name) };
		},
	};
}

/**
 * Parses a reference to a node or to the top level. No value means the top level.
 *
 * @param parameter - the name of the parameter in errors
 * @throws `invalid_argument` `invalid_reference`
 */
export function parentReference(value: unknown, call: Call, parameter = "parent"): Reference {
	if (value === undefined || value === null) return { form: "root" };
	return idReference(value) ?? namedReference(parameter, value, call) ?? parseReference(parameter, value, call);
}

/**
 * Parses the id of a mirror's parent. Spec §4.7.
 *
 * @throws `invalid_argument` `invalid_reference` `unsupported_reference`
 */
export function mirrorParentReference(value: unknown, call: Call): NodeReference {
	const named = namedReference("parent", value, call);
	if (named !== undefined) return named;
	if (typeof value !== "string") {
		throw invalidArgument("The parent of a mirror", value, "a full node id");
	}
	if (value === "") throw emptyReference("parent");
	if (!isId(value)) {
		throw new OutlineError(
			"unsupported_reference",
			`The parent of a mirror is ${quoted(value)}. It must be a full node id; keys, short ids, addresses and "None" are not supported here. Take the id of the node, which ensure() returns also for a missing day.`,
		);
	}
	return { form: "id", text: value, at: { id: value.toLowerCase() } };
}

/** Parses the new parent of a node; undefined if the caller gave none. @throws as {@link parentReference} */
export function destinationArgument(parent: unknown, call: Call): Reference | undefined {
	return parent === undefined ? undefined : parentReference(parent, call);
}

/** Checks a shortcut key, which may have no other meaning. @throws `invalid_argument` `reserved_key` */
export function shortcutKey(given: unknown): string {
	const key = typeof given === "string" ? normalizeText(given) : given;
	if (typeof key !== "string" || key === "" || key.length > 256) {
		throw invalidArgument("The shortcut key", key, "a text of 1 to 256 characters");
	}
	if (
		key === "None" ||
		isId(key) ||
		isShortId(key) ||
		calendarForm.test(key) ||
		key === inboxKey ||
		key === calendarKey ||
		dayWords.has(key) ||
		isAddress(key)
	) {
		throw new OutlineError(
			"reserved_key",
			`${quoted(key)} can't be a shortcut key, because it already has a meaning as a reference. Choose another word.`,
		);
	}
	return key;
}

const creating = "To create it, create a node there, move one there, or call `ensure`.";

/** Returns the error for a reference that names no node. */
export function notFound(reference: NodeReference): OutlineError {
	if (reference.form === "calendar") {
		return new OutlineError("not_found", `The calendar has no node for ${quoted(reference.text)} yet. ${creating}`);
	}
	const gone = "It may have been deleted, or belong to another outline. List its parent to see what is there.";
	const hints = {
		id: gone,
		"short id": gone,
		address: gone,
		inbox: creating,
		shortcut:
			'Give an id, a short id, a shortcut, "inbox" or a calendar key such as "2026-01-31". In shortcuts and keys, upper and lower case differ.',
	};
	return new OutlineError("not_found", `There is no node ${quoted(reference.text)}. ${hints[reference.form]}`);
}

/** Parses a reference, and notes in `call.needs` what it needs. */
function parseReference(parameter: string, value: unknown, call: Call): Reference {
	if (typeof value !== "string") {
		throw invalidArgument(capital(parameter), value, "a text that names a node, such as node.id");
	}
	if (value === "") throw emptyReference(parameter);
	if (value === "None") return { form: "root" };
	if (isShortId(value)) return { form: "short id", text: value, at: { shortId: value.toLowerCase() } };
	const key = value === inboxKey ? inboxKey : calendarKeyOf(value, call);
	if (key !== null) {
		call.needs.onDemand = true;
		return { form: key === inboxKey ? "inbox" : "calendar", text: value, at: { key } };
	}
	if (isAddress(value)) return { form: "address", text: value, at: { shortId: addressed(value, call.settings) } };
	return { form: "shortcut", text: value, at: { key: normalizeText(value) } };
}

/** Returns the short id of an address under the host's `appUrl`. @throws `invalid_reference` */
function addressed(address: string, { appUrl }: Settings): string {
	const at = address.lastIndexOf("/#/");
	const shortId = address.slice(at + 3);
	const base = address.slice(0, withoutSlashes(address, at));
	if (appUrl !== undefined && isShortId(shortId) && comparable(base) === comparable(appUrl))
		return shortId.toLowerCase();
	throw new OutlineError(
		"invalid_reference",
		appUrl === undefined
			? `${quoted(address)} is an address, but this outline has no addresses, because it has no appUrl. Give an id.`
			: `${quoted(address)} is not an address of this outline. Its addresses are ${appUrl}/#/ and 12 hex digits.`,
	);
}

function emptyReference(parameter: string): OutlineError {
	return new OutlineError("invalid_reference", `${capital(parameter)} is an empty text. Give an id, a key or "None".`);
}

function capital(text: string): string {
	return text[0]!.toUpperCase() + text.slice(1);
}
