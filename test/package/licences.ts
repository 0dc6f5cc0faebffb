import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.js";

/** A package that another one needs. */
export interface Dependency {
	readonly name: string;
	readonly version: string;
	/** As the package names it: an SPDX expression; empty if it names none. */
	readonly licence: string;
	/** Whether only the tests, the examples and the build need it. */
	readonly development: boolean;
}

/** Licences that ask for nothing but that their text stays with the code. */
export const allowedLicences: ReadonlySet<string> = new Set([
	"0BSD",
	"Apache-2.0",
	"BSD-2-Clause",
	"BSD-3-Clause",
	"CC0-1.0",
	"ISC",
	"MIT",
	"Unlicense",
]);

/** A package in the lock file. */
interface Locked {
	readonly version?: string;
	readonly license?: string;
	readonly link?: boolean;
	readonly dependencies?: Record<string, string>;
}

/** Lists the packages that are installed with the package, or for working on it, by name. */
export function dependencies(): Dependency[] {
	const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
		packages: Record<string, Locked>;
	};
	const needed = new Set<string>();
	const need = (path: string) => {
		for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
			const nested = `${path}/node_modules/${name}`;
			const found = nested in packages ? nested : `node_modules/${name}`;
			if (needed.has(found)) continue;
			needed.add(found);
			need(found);
		}
	};
	need("");
	return Object.entries(packages)
		.filter(([path, { link }]) => path.startsWith("node_modules/") && !link)
		.map(([path, { version = "", license = "" }]) => ({
			name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
			version,
			licence: license,
			development: !needed.has(path),
		}))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of `docs/licences.md`. */
export function licencesDocument(): string {
	const rows = dependencies()
		.filter(({ development }) => !development)
		.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
	const counts = new Map<string, number>();
	for (const { development, licence } of dependencies()) {
		if (development) counts.set(licence, (counts.get(licence) ?? 0) + 1);
	}
	const others = [...counts]
		.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
		.map(([licence, count]) => `| ${licence} | ${count} |`);
	return `# Licences of the dependencies

outlinekit itself is under the MIT licence. With it these are installed:

| package | version | licence |
|---|---|---|
${rows.join("\n")}

What only the tests, the examples and the build use isn't installed with it. Those packages by licence:

| licence | packages |
|---|---:|
${others.join("\n")}
`;
}
