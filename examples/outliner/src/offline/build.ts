import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, transformWithOxc } from "vite";
import type { PrecachedFile } from "./precached-file.js";

const source = fileURLToPath(new URL("service-worker.ts", import.meta.url));
/** Browsers look for a new service worker under the same name. */
const worker = "service-worker.js";

/** Adds the service worker, with the list of all files, to a build of Vite. */
export function precache(): Plugin {
	return {
		name: "precache",
		apply: "build",
		// The files are final only now, when Vite writes them.
		async writeBundle({ dir }) {
			const files = readdirSync(dir!, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile() && entry.name !== worker && !entry.name.endsWith(".map"))
				.map((entry) => precached(dir!, join(entry.parentPath, entry.name)))
				.sort((left, right) => (left.path < right.path ? -1 : 1));
			const revision = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
			const { code } = await transformWithOxc(readFileSync(source, "utf8"), source);
			writeFileSync(join(dir!, worker), `const precache = ${JSON.stringify({ revision, files })};\n${code}`);
		},
	};
}

function precached(directory: string, file: string): PrecachedFile {
	const path = file.slice(join(directory, sep).length).replaceAll(sep, "/");
	const hash = createHash("sha256").update(readFileSync(file)).digest("base64");
	return { path: path === "index.html" ? "./" : path, integrity: `sha256-${hash}` };
}
