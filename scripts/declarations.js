import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { linkSections, siteAddress } from "./config/addresses.js";

/**
 * Writes the declarations of the entry points to a folder. They leave out internal parts, and name the library
 * that declares `Symbol.asyncDispose`. "Spec §2.4" in their comments is a link to that section on the site.
 *
 * @param {Record<string, string>} entries - the sources of the entry points, by their names
 * @param {string} directory
 */
export async function writeDeclarations(entries, directory) {
	const bundle = await rollup({
		input: entries,
		external: (name) => !/^[./]/.test(name),
		plugins: [
			dts({ compilerOptions: { stripInternal: true, noEmit: false, paths: {} } }),
			{
				name: "links to the interface",
				renderChunk: (code) =>
					linkSections(code, (anchor, text) => `[${text}](${siteAddress}interface.html#${anchor})`),
			},
		],
	});
	await bundle.write({
		dir: directory,
		format: "es",
		entryFileNames: "[name].d.ts",
		banner: '/// <reference lib="esnext.disposable" />',
	});
	await bundle.close();
}
