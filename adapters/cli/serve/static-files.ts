import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";

/** The media types of files, by the end of their names. */
const types: { readonly [extension: string]: string } = {
	".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".json": "application/json",
	".map": "application/json",
	".png": "image/png",
	".svg": "image/svg+xml",
	".webmanifest": "application/manifest+json",
};

/**
 * The headers of all answers: a page loads and runs only files beside it, and no other page shows it in a
 * frame.
 */
const headers: { readonly [name: string]: string } = {
	"content-security-policy":
		"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
	"cross-origin-opener-policy": "same-origin",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff",
};

/** A file as it is sent. */
interface StaticFile {
	readonly body: Uint8Array<ArrayBuffer>;
	readonly headers: { readonly [name: string]: string };
}

/**
 * The files of a folder, as they were when it was read. So all sent files match, even if the folder changes,
 * and no path, however it is written, leads out of it.
 */
export class StaticFiles {
	readonly #files: ReadonlyMap<string, StaticFile>;

	private constructor(files: ReadonlyMap<string, StaticFile>) {
		this.#files = files;
	}

	/** Reads a folder with its subfolders. A missing folder has no files. */
	static async read(directory: string): Promise<StaticFiles> {
		const files = new Map<string, StaticFile>();
		for (const name of await namesIn(directory)) {
			const path = `/${name}`;
			const file = fileOf(path, new Uint8Array(await readFile(join(directory, name))));
			files.set(path, file);
			if (path.endsWith("/index.html")) files.set(path.slice(0, -"index.html".length), file);
		}
		return new StaticFiles(files);
	}

	/** Whether there is a page at `/`. */
	get hasPage(): boolean {
		return this.#files.has("/");
	}

	/** Answers a request for a file. Returns whether there is one at its path; if not, it sends nothing. */
	answer({ method, url = "", headers: asked }: IncomingMessage, response: ServerResponse): boolean {
		const file = this.#files.get(url.replace(/[?#].*/, ""));
		if (file === undefined) return false;
		if (method !== "GET" && method !== "HEAD") response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
		else if (asked["if-none-match"] === file.headers.etag) response.writeHead(304, file.headers).end();
		else response.writeHead(200, file.headers).end(file.body);
		return true;
	}
}

/** The paths of the files in a folder, from there on, with slashes. */
async function namesIn(directory: string, prefix = ""): Promise<string[]> {
	try {
		const entries = await readdir(join(directory, prefix), { withFileTypes: true });
		const names = entries.map(async (entry) => {
			if (entry.isDirectory()) return namesIn(directory, `${prefix}${entry.name}/`);
			return entry.isFile() ? [`${prefix}${entry.name}`] : [];
		});
		return (await Promise.all(names)).flat();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
		throw error;
	}
}

function fileOf(path: string, body: Uint8Array<ArrayBuffer>): StaticFile {
	return {
		body,
		headers: {
			...headers,
			"content-type": types[extname(path)] ?? "application/octet-stream",
			"content-length": String(body.byteLength),
			// The names of these files have a hash of their content, so a name never gets another content.
			"cache-control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
			etag: `"${createHash("sha256").update(body).digest("base64url")}"`,
		},
	};
}
