import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { format } from "node:util";
import ts from "typescript";
import { temporaryFolder } from "./temporary.js";

/** A block of code of a page. */
interface Block {
	readonly code: string;
	/** The name in the first line, such as `// server.ts`: the block is a part of that file. HTML is `index.html`. */
	readonly file?: string;
}

/** The blocks of TypeScript, JavaScript and HTML of a page. */
export function blocksOf(page: string): Block[] {
	return Array.from(page.matchAll(/^```(ts|js|html)\n(.*?)^```$/gms), ([, language, code]) => {
		if (language === "html") return { code: code!, file: "index.html" };
		const [, file] = /^\/\/ ([\w/-]+\.ts)\n/.exec(code!) ?? [];
		return file === undefined ? { code: code! } : { code: code!.slice(code!.indexOf("\n") + 1), file };
	});
}

/**
 * The programs of a page. A block that imports `Outline` begins one, and the blocks after it continue it. Blocks
 * that are parts of files don't count.
 */
export function programsOf(page: string): string[] {
	const programs: string[][] = [];
	for (const { code, file } of blocksOf(page)) {
		if (file !== undefined) continue;
		if (programs.length === 0 || /^import \{[^}]*\bOutline\b[^}]*\} from "outlinekit";$/m.test(code)) programs.push([]);
		programs.at(-1)!.push(code);
	}
	return programs.map((blocks) => {
		const code = blocks.join("\n");
		const imports = new Set(Array.from(code.matchAll(importing), ([line]) => line));
		return [...imports, code.replaceAll(importing, "")].join("");
	});
}

/** The components of React and Solid on a page. In a project of Solid, its settings say where elements come from. */
export function componentsOf(page: string): string[] {
	return Array.from(page.matchAll(/^```tsx\n(.*?)^```$/gms), ([, code]) =>
		code!.includes("outlinekit/solid") ? `/** @jsxImportSource solid-js */\n${code}` : code!,
	);
}

const importing = /^import [^;]*;\n/gm;

/** A statement that prints, up to the end of its line, with what the page says that it prints. */
const printing = /\bconsole\.log\((.*?);(?: \/\/ ([^\n]*)|[^\n]*)$/gms;

/** What a statement prints, and what the page says that it prints. "…" stands for any text. */
interface Printed {
	readonly said: string;
	readonly printed: string;
}

/** Whether a page says what its program prints. */
export function agrees({ said, printed }: Printed): boolean {
	const parts = said.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`^${parts.join(".*")}$`, "s").test(printed);
}

/**
 * Runs the program of a page. Returns the output of each `console.log` that has a comment behind it, with that
 * comment. If a statement prints several times, its output is joined by commas.
 *
 * @param load - loads a module
 */
export async function run(program: string, load: (name: string) => Promise<unknown>): Promise<Printed[]> {
	const said: string[] = [];
	const printed: string[][] = [];
	const told = program.replaceAll(printing, (statement: string, rest: string, comment?: string) => {
		if (comment === undefined) return statement;
		said.push(comment);
		printed.push([]);
		return `log(${said.length - 1})(${rest};`;
	});
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	const { outputText } = ts.transpileModule(told, { compilerOptions });
	const names = Array.from(outputText.matchAll(/\brequire\("([^"]+)"\)/g), ([, name]) => name!);
	const servers: Server[] = [];
	const modules = new Map<string, unknown>();
	for (const name of names) modules.set(name, name === "node:http" ? httpModule(servers) : await load(name));
	const log =
		(index: number) =>
		(...values: unknown[]) =>
			void printed[index]!.push(format(...values));
	const AsyncFunction = (async () => {}).constructor as new (
		...source: string[]
	) => (...values: unknown[]) => Promise<void>;
	const silent = { ...console, log: () => {}, error: () => {} };
	const body = new AsyncFunction("require", "exports", "log", "console", outputText.replace('"use strict";', ""));
	try {
		await body((name: string) => modules.get(name), {}, log, silent);
	} finally {
		for (const server of servers) server.close().closeAllConnections();
	}
	return said.map((comment, index) => ({ said: comment, printed: printed[index]!.join(", ") }));
}

/** The module of servers, which listen at any free port and close at the end of the program. */
function httpModule(servers: Server[]): unknown {
	return {
		createServer: (...options: Parameters<typeof createServer>) => {
			const server = createServer(...options);
			servers.push(server);
			const { listen } = server;
			server.listen = ((_port: number, ...others: unknown[]) => Reflect.apply(listen, server, [0, ...others])) as never;
			return server;
		},
	};
}

/** The compiler's errors about some programs, by their names, except for missing types of a client. */
export function complaints(root: string, programs: ReadonlyMap<string, string>): string[] {
	const folder = temporaryFolder();
	// A page may leave a name unused. All else holds that `tsc --init` sets, because readers begin with that.
	const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
	const settings = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["*"] };
	const files: Iterable<readonly [string, string]> = [
		...programs,
		["yours.d.ts", yours],
		["outline.ts", outlineOfComponents],
		["package.json", '{ "type": "module" }'],
		["tsconfig.json", JSON.stringify(settings)],
	];
	for (const [name, text] of files) writeFileSync(join(folder, name), text);
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
	const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
	const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, "-p", ".", "--pretty", "false"], {
		cwd: folder,
		encoding: "utf8",
	});
	const errors = `${stdout}${stderr}`.split(/\n(?=\S)/).filter((line) => line.trim() !== "");
	if (status !== 0 && errors.length === 0) throw new Error(`The compiler ended with the status ${status}.`);
	return errors.filter((line) => !line.includes(` error ${withoutTypes}: `));
}

/** The declarations that a page leaves to its reader. */
const yours = "declare function createMyStorage(options: { name: string }): import('outlinekit').StorageAdapter;";

/** The module from which components import the outline. */
const outlineOfComponents = "export declare const outline: import('outlinekit').Outline;";

/** The compiler's number for a module that has no types. */
const withoutTypes = "TS7016";
