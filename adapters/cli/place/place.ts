import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { usage } from "../failure.ts";
import type { Environment, Options } from "../options.ts";

/** The place of an outline. */
export type OutlinePlace =
	| { readonly kind: "file"; readonly path: string; readonly isDefault: boolean }
	| { readonly kind: "sqlite"; readonly path: string; readonly outline: string }
	| { readonly kind: "postgres"; readonly url: string; readonly outline: string }
	| ServerPlace;

/** An outline on a server, as `outlinekit serve` serves it. */
export interface ServerPlace {
	readonly kind: "server";
	/** The address without a slash at its end. */
	readonly url: string;
	readonly key: string;
}

/** Returns the file that is used if the user names no place. */
export function defaultFile(
	{ XDG_DATA_HOME, LOCALAPPDATA }: Environment,
	platform: NodeJS.Platform = process.platform,
	home: string = homedir(),
): string {
	const data =
		platform === "win32"
			? LOCALAPPDATA || join(home, "AppData", "Local")
			: platform === "darwin"
				? join(home, "Library", "Application Support")
				: XDG_DATA_HOME || join(home, ".local", "share");
	return join(data, "outlinekit", "outline.jsonl");
}

/** Returns the place that the options name, or the default file. @throws usage */
export function placeOf(options: Options): OutlinePlace {
	const name = oneOf(options, ["file", "database", "server"]);
	if (name === undefined && options.ignores("OUTLINEKIT_SERVER")) {
		throw usage("This command can't work on the server of OUTLINEKIT_SERVER. Give --file or --database.");
	}
	if (name !== "server") return localOf(options, name);
	assertNoOutlineName(options);
	return serverOf(options)!;
}

/** Returns the local place that the options name, or the default file. @throws usage */
export function localPlaceOf(options: Options): Exclude<OutlinePlace, ServerPlace> {
	return localOf(options, oneOf(options, ["file", "database"]));
}

/** Returns the server that the options name; undefined for none. @throws usage if it has no key */
export function serverOf(options: Options): ServerPlace | undefined {
	const text = options.text("server");
	if (text === undefined) return undefined;
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw options.refusal("server", text, "an address, such as http://127.0.0.1:3000");
	}
	if (!/^https?:$/.test(url.protocol)) throw options.refusal("server", text, "an address that begins with http");
	// The link that `serve` prints has the key behind the address.
	const key = new URLSearchParams(url.hash.slice(1)).get("key") ?? options.text("key");
	if (key === undefined) throw usage("The server needs a key. Give it with --key or in OUTLINEKIT_KEY.");
	assertKey(key);
	// `serve` also prints the address of the interface, which `createHttpRemote` takes.
	return { kind: "server", url: `${url.origin}${url.pathname.replace(/(?:\/api\/v1)?\/*$/, "")}`, key };
}

/** Whether a header can carry a text as an API key. */
export function isKey(text: string): boolean {
	return /^[\x21-\x7e]+$/.test(text);
}

/** Asserts that a header can carry an API key. @throws usage, without the key */
export function assertKey(key: string): void {
	if (isKey(key)) return;
	throw usage("The key has a blank or a character beyond ASCII in it, or is empty. Give another key.");
}

/** Returns the option that names the place: one of the command line, or else one of the environment. */
function oneOf(options: Options, names: readonly string[]): string | undefined {
	const given = names.filter((name) => options.isGiven(name));
	const found = given.length > 0 ? given : names.filter((name) => options.text(name) !== undefined);
	if (found.length > 1) {
		const sources = found.map((each) => options.sourceOf(each)).join(" and ");
		throw usage(`An outline is in one place, and there are ${sources}. Give one.`);
	}
	return found[0];
}

function localOf(options: Options, name: string | undefined): Exclude<OutlinePlace, ServerPlace> {
	if (name === "database") {
		const text = options.text("database")!;
		const outline = options.text("outline") ?? "outline";
		if (/^postgres(ql)?:\/\//.test(text)) return { kind: "postgres", url: text, outline };
		const [, path] = /^sqlite:(?:\/\/)?(.+)$/s.exec(text) ?? [];
		if (path !== undefined) return { kind: "sqlite", path: resolve(path), outline };
		throw options.refusal("database", text, "sqlite:<path> or postgres://…");
	}
	assertNoOutlineName(options);
	const path = name === "file" ? options.text("file") : undefined;
	if (path === "") throw usage("--file is empty. Give the path of a file.");
	return { kind: "file", path: resolve(path ?? defaultFile(options.environment)), isDefault: path === undefined };
}

/**
 * Asserts that no outline is named outside of a database: the command would change another outline.
 *
 * @throws usage
 */
function assertNoOutlineName(options: Options): void {
	if (options.isGiven("outline"))
		throw usage("--outline names an outline in a database. Give --database too, or leave --outline out.");
}

/** Returns a place as messages name it, without its passwords and keys. */
export function nameOf(place: OutlinePlace): string {
	if (place.kind === "file" || place.kind === "sqlite") return place.path;
	if (place.kind === "server") return place.url;
	const { host, pathname } = new URL(place.url);
	return `${host}${pathname}`;
}

/** Returns an outline as messages name it: of a database with its own name, which may be misspelled. */
export function outlineNameOf(place: OutlinePlace): string {
	return "outline" in place ? `${JSON.stringify(place.outline)} in ${nameOf(place)}` : nameOf(place);
}
