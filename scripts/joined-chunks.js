import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { rollup } from "rollup";

/**
 * Joins the chunks of a build that the same entry points load at their start, with the same packages. esbuild splits
 * these further, by the parts that load later, and Node takes about half a millisecond for each file. But a part that
 * loads later, such as the search, must not load a package, such as the Markdown parser, that it doesn't need. Packages
 * of the first entry point don't count: they are loaded by then.
 *
 * @param {readonly string[]} entries - the names of the entry points
 * @param {string} directory
 */
export async function joinChunks(entries, directory) {
	const files = entries.map((name) => resolve(directory, `${name}.js`));
	const bundle = await rollup({ input: files, external: (name) => !/^[./]/.test(name), treeshake: false });
	let loaders;
	const { output } = await bundle.generate({
		format: "es",
		chunkFileNames: ({ name }) => `${name.replace(/-[A-Z0-9]{8}$| .*/, "")}-[hash].js`,
		hashCharacters: "base36",
		hoistTransitiveImports: false,
		minifyInternalExports: false,
		manualChunks(file, { getModuleInfo }) {
			loaders ??= loadersOfFiles(files, getModuleInfo);
			if (files.includes(file) || !loaders.has(file)) return undefined;
			const known = packagesOf(files[0], getModuleInfo);
			const packages = [...packagesOf(file, getModuleInfo)].filter((name) => !known.has(name));
			return `chunk ${loaders.get(file)} ${packages.sort()}`;
		},
	});
	await Promise.all(bundle.watchFiles.map((file) => rm(file)));
	await Promise.all(output.map(({ fileName, code }) => writeFile(join(directory, fileName), withoutPaths(code))));
	await bundle.close();
}

/** Returns code without the comments of esbuild that name source files, which the package doesn't have. */
function withoutPaths(code) {
	return code.replace(/^\/\/ (?:src|adapters|test|node_modules)\/.*\n/gm, "");
}

/** Returns the numbers of the entry points that load a file at their start, by the file. */
function loadersOfFiles(entries, getModuleInfo) {
	const loaders = new Map();
	const load = (file, entry) => {
		const known = loaders.get(file) ?? [];
		const { isExternal, importedIds } = getModuleInfo(file);
		if (known.at(-1) === entry || isExternal) return;
		loaders.set(file, [...known, entry]);
		for (const imported of importedIds) load(imported, entry);
	};
	for (const [entry, file] of entries.entries()) load(file, entry);
	return loaders;
}

/** Returns the names of the packages that a file loads, itself or by the files that it imports. */
function packagesOf(file, getModuleInfo, packages = new Set(), seen = new Set([file])) {
	for (const imported of getModuleInfo(file).importedIds) {
		if (seen.has(imported)) continue;
		seen.add(imported);
		if (getModuleInfo(imported).isExternal) packages.add(imported);
		else packagesOf(imported, getModuleInfo, packages, seen);
	}
	return packages;
}
