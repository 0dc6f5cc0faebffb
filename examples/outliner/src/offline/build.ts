import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Plugin } from "vite";
import type { PrecachedFile } from "./precached-file.js";

/** The name of the service worker's entry, and of its file without the end. */
export const serviceWorker = "service-worker";

/** Gives the service worker the list of files. A plugin of Vite, whose build has the worker for an entry. */
export function precache(): Plugin {
	return {
		name: "precache",
		apply: "build",
		// The files are final only now, when Vite writes them.
		writeBundle({ dir }) {
			const worker = `${serviceWorker}.js`;
			const files = readdirSync(dir!, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile() && entry.name !== worker && !entry.name.endsWith(".map"))
				.map((entry) => precached(dir!, join(entry.parentPath, entry.name)))
				.sort((left, right) => (left.path < right.path ? -1 : 1));
			const revision = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
			const code = readFileSync(join(dir!, worker), "utf8");
			writeFileSync(join(dir!, worker), `const precache = ${JSON.stringify({ revision, files })};\n${code}`);
		},
	};
}

function precached(directory: string, file: string): PrecachedFile {
	const path = file.slice(join(directory, sep).length).replaceAll(sep, "/");
	const hash = createHash("sha256").update(readFileSync(file)).digest("base64");
	return { path: path === "index.html" ? "./" : path, integrity: `sha256-${hash}` };
}
