import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/**
 * Writes the declarations of the entry points to a folder, each with a map that leads editors to the source. They
 * leave out internal parts, and name the library that declares `Symbol.asyncDispose`.
 *
 * @param {Record<string, string>} entries - the sources of the entry points, by their names
 * @param {string} directory
 */
export async function writeDeclarations(entries, directory) {
	const bundle = await rollup({
		input: entries,
		external: (name) => !/^[./]/.test(name),
		plugins: [
			dts({
				sourcemap: true,
				compilerOptions: { stripInternal: true, declarationMap: true, noEmit: false, paths: {} },
			}),
		],
	});
	await bundle.write({
		dir: directory,
		format: "es",
		sourcemap: true,
		entryFileNames: "[name].d.ts",
		banner: '/// <reference lib="esnext.disposable" />',
	});
	await bundle.close();
}
