import { brotliCompressSync } from "node:zlib";
import { build, type Plugin } from "esbuild";

/** A bundle for a browser. */
export interface Bundle {
	/**
	 * The number of bytes that a page loads before its first line runs: minified, and compressed with Brotli.
	 */
	readonly size: number;
	/** The code of that. */
	readonly code: string;
	/** The code that is loaded when it is used. */
	readonly later: string;
	/** The source files with any code in the bundle. */
	readonly inputs: readonly string[];
}

/**
 * Bundles a module for a browser as applications do, without what it loads only when it is used.
 *
 * @throws if it needs something of Node
 */
export async function bundle(
	source: string,
	resolveDir: string,
	{ plugins = [], splitting = true }: { plugins?: Plugin[]; splitting?: boolean } = {},
): Promise<Bundle> {
	const { metafile, outputFiles } = await build({
		stdin: { contents: source, resolveDir },
		bundle: true,
		splitting,
		minify: true,
		format: "esm",
		platform: "browser",
		target: "es2023",
		outdir: resolveDir,
		absWorkingDir: resolveDir,
		write: false,
		metafile: true,
		plugins,
		logLevel: "silent",
	});
	const { outputs } = metafile;
	const loaded = new Set<string>();
	const load = (path: string) => {
		if (loaded.has(path)) return;
		loaded.add(path);
		for (const { path: imported, kind, external } of outputs[path]!.imports) {
			if (kind === "import-statement" && !external) load(imported);
		}
	};
	load(Object.keys(outputs).find((path) => outputs[path]!.entryPoint === "<stdin>")!);
	const isLoaded = (path: string) => [...loaded].some((each) => path.endsWith(each));
	// In an order that doesn't depend on the hashes, because Brotli's result depends on the order.
	const loadedTexts = outputFiles.flatMap(({ path, text }) => (isLoaded(path) ? [withoutHashes(text)] : []));
	const code = loadedTexts.sort((left, right) => right.length - left.length).join("");
	const later = outputFiles.flatMap(({ path, text }) => (isLoaded(path) ? [] : [text])).join("");
	const inputs = [...loaded].flatMap((path) =>
		Object.entries(outputs[path]!.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
	);
	return { size: brotliCompressSync(code).length, code, later, inputs };
}

/**
 * Returns code without the hashes in the names of files: one of the package's bundler, and one of the application's.
 * They change with every change, and don't compress.
 */
function withoutHashes(code: string): string {
	return code.replace(/(?:-[A-Za-z0-9_]{8})+(?=\.js")/g, "");
}
