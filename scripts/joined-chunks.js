import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { rollup } from "rollup";

/**
 * Joins the chunks of a build that the same entry points load at their start. esbuild splits these further, by
 * the parts that load later, and Node takes about half a millisecond for each file.
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
			return files.includes(file) || !loaders.has(file) ? undefined : `chunk ${loaders.get(file)}`;
		},
	});
	await Promise.all(bundle.watchFiles.map((file) => rm(file)));
	await Promise.all(output.map(({ fileName, code }) => writeFile(join(directory, fileName), code)));
	await bundle.close();
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
