import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { StaticFiles } from "../../adapters/cli/serve/static-files.ts";
import { buildOutliner, outlinerDirectory } from "../../scripts/install.js";
import { browserPath } from "../../test/setup/browser.ts";
import { withDirectory } from "../directory.ts";
import { runs } from "../fresh.ts";
import { MainThread } from "../main-thread.ts";
import { median, quantile } from "../measure.ts";
import { measureUnfolded } from "../outliner-unfolded.ts";
import { firstText, scroll, watchKeys } from "../outliner-watch.ts";
import type { Extent } from "../part.ts";
import type { Table } from "../report.ts";

const siblings = 20_000;
const nodes = 100_000;
/** Rows of the plain list: as many as the outliner has on the screen. */
const plainRows = 25;
const keysARound = 60;
/** Nodes of a small outline: as many as the screen shows. */
const screenful = 20;

/**
 * The outliner with 100,000 nodes, 20,000 of them visible siblings, compared with a plain editable list of
 * the screen. Then with all of them unfolded, compared with itself on an outline of one screen.
 */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	const executablePath = await browserPath();
	await buildOutliner();
	const script = await pageScript();
	const files = await StaticFiles.read(outlinerDirectory);
	const server = createServer((request, response) => {
		if (request.url === "/plain") response.setHeader("content-type", "text/html").end(plainList());
		else if (!files.answer(request, response)) response.writeHead(404).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const origin = `http://127.0.0.1:${port}`;
	// For a browser this is another site, with an outline of its own.
	const small = `http://localhost:${port}`;
	try {
		yield* await withDirectory(async (profile) => {
			const start = () => chromium.launchPersistentContext(profile, { executablePath, args: browserArguments });
			let context = await start();
			try {
				for (const [site, ...size] of [
					[origin, siblings, nodes],
					[small, screenful / 5, screenful],
				] as const) {
					const filling = await context.newPage();
					await filling.goto(`${site}/plain`);
					await filling.evaluate(script);
					await filling.evaluate(([of, all]) => globalThis.filling.fill(of, all), size);
				}
				const opened: number[] = [];
				for (let run = 0; run < runs; run++) {
					// In a browser that has just been started, nothing is in memory.
					await context.close();
					context = await start();
					const page = await context.newPage();
					await page.goto(`${origin}/`);
					opened.push(await page.evaluate(firstText));
				}
				const folded = tableOf(await typedAndScrolled(context, origin, full), opened);
				return [folded, await measureUnfolded(context, `${small}/`, nodes)];
			} finally {
				await context.close();
			}
		});
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

interface Measured {
	readonly ours: { p50: number; p95: number }[];
	readonly base: { p50: number; p95: number }[];
	readonly blank: number;
	readonly frames: number;
	readonly minutes: number;
	readonly heap: readonly [before: number, after: number];
}

async function typedAndScrolled(context: BrowserContext, origin: string, full: boolean): Promise<Measured> {
	const outliner = context.pages().at(-1)!;
	const plain = await context.newPage();
	await plain.goto(`${origin}/plain`);
	for (const page of [outliner, plain]) await page.evaluate(watchKeys);
	const measured = { ours: [] as Measured["ours"], base: [] as Measured["base"] };
	for (let run = 0; run <= runs; run++) {
		const ours = await typed(outliner, ".row .name");
		const base = await typed(plain, "div");
		// The first round is for the compiler.
		if (run === 0) continue;
		measured.ours.push(ours);
		measured.base.push(base);
	}
	await outliner.bringToFront();
	const minutes = full ? 10 : 1;
	const thread = await MainThread.of(outliner);
	const before = await thread.heap();
	const end = Date.now() + minutes * 60_000;
	while (Date.now() < end) {
		await outliner.keyboard.type("some words, a second line\n", { delay: 8 });
		for (const key of ["Tab", "Shift+Tab", "ArrowUp", "ArrowDown", "Backspace"]) await outliner.keyboard.press(key);
	}
	const heap = [before, await thread.heap()] as const;
	const scrolled = await outliner.evaluate(scroll);
	await plain.close();
	return { ...measured, ...scrolled, minutes, heap };
}

async function typed(page: Page, field: string): Promise<{ p50: number; p95: number }> {
	await page.bringToFront();
	await page.click(field);
	await page.keyboard.press("End");
	for (let key = 0; key < keysARound; key++) {
		await page.keyboard.press("abcdefgh"[key % 8]!);
		await page.waitForTimeout(20);
	}
	const times = await page.evaluate(() => globalThis.keyTimes.splice(0));
	return { p50: median(times), p95: quantile(times, 0.95) };
}

function tableOf({ ours, base, blank, frames, minutes, heap }: Measured, opened: number[]): Table {
	return {
		key: "outliner",
		title: `The outliner with ${nodes.toLocaleString("en")} nodes, ${siblings.toLocaleString("en")} of them visible siblings`,
		unit: "ms",
		base: `a plain editable list of ${plainRows} rows`,
		ours: "the outliner",
		rows: [
			{ name: "from a cold start to the first text", ours: opened, limit: 1000 },
			{
				name: "a keystroke to its paint, median",
				ours: ours.map(({ p50 }) => p50),
				base: base.map(({ p50 }) => p50),
			},
			{
				name: "the same, 95th percentile",
				ours: ours.map(({ p95 }) => p95),
				base: base.map(({ p95 }) => p95),
				limit: 16,
			},
			{ name: `frames with a blank row, of ${frames} while scrolling`, ours: [blank], limit: 0 },
			{ name: `the heap grows in ${minutes} min of typing by, MB`, ours: [heap[1] - heap[0]], limit: 20 },
		],
		notes: ["At 60 frames a second a key waits up to 16.7 ms for the frame that shows it, whatever the page does."],
	};
}

const browserArguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];

declare global {
	var filling: typeof import("../outliner-page.ts");
}

async function pageScript(): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("../outliner-page.ts", import.meta.url))],
		bundle: true,
		write: false,
		format: "iife",
		globalName: "filling",
		target: "es2023",
		tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)),
	});
	return `${outputFiles[0]!.text}; globalThis.filling = filling; 0`;
}

function plainList(): string {
	const rows = Array.from(
		{ length: plainRows },
		(_, index) => `<div contenteditable>a row of a plain list, ${index}</div>`,
	);
	const style = "div { font: 16px/1.5 sans-serif; padding: 4px 40px }";
	return `<!doctype html><title>Plain</title><style>${style}</style>${rows.join("")}`;
}
