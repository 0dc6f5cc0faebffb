import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { StaticFiles } from "../../examples/http-server/static-files.ts";
import { buildOutliner, outlinerDirectory } from "../../scripts/install.js";
import { browserPath } from "../../test/setup/browser.ts";
import { withDirectory } from "../directory.ts";
import { runs } from "../fresh.ts";
import { median } from "../measure.ts";
import type { Extent } from "../part.ts";
import type { Table } from "../report.ts";

const siblings = 20_000;
const nodes = 100_000;
/** Rows of the plain list: as many as the outliner has on the screen. */
const plainRows = 25;
const keysARound = 60;

/**
 * The outliner with 100,000 nodes, 20,000 of them visible siblings, compared with a plain editable list of
 * the screen.
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
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	try {
		yield await withDirectory(async (profile) => {
			const start = () => chromium.launchPersistentContext(profile, { executablePath, args: browserArguments });
			let context = await start();
			try {
				const filling = await context.newPage();
				await filling.goto(`${origin}/plain`);
				await filling.evaluate(script);
				await filling.evaluate(([of, all]) => globalThis.filling.fill(of!, all!), [siblings, nodes]);
				const opened: number[] = [];
				for (let run = 0; run < runs; run++) {
					// In a browser that has just been started, nothing is in memory.
					await context.close();
					context = await start();
					const page = await context.newPage();
					await page.goto(`${origin}/`);
					opened.push(await page.evaluate(firstText));
				}
				return tableOf(await typedAndScrolled(context, origin, full), opened);
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
	const session = await context.newCDPSession(outliner);
	const heapSize = async () => {
		await session.send("HeapProfiler.collectGarbage");
		return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
	};
	const before = await heapSize();
	const end = Date.now() + minutes * 60_000;
	while (Date.now() < end) {
		await outliner.keyboard.type("some words, a second line\n", { delay: 8 });
		for (const key of ["Tab", "Shift+Tab", "ArrowUp", "ArrowDown", "Backspace"]) await outliner.keyboard.press(key);
	}
	const after = await heapSize();
	return { ...measured, ...(await outliner.evaluate(scroll)), minutes, heap: [before, after] };
}

async function typed(page: Page, field: string): Promise<{ p50: number; p95: number }> {
	await page.bringToFront();
	await page.click(field);
	await page.keyboard.press("End");
	for (let key = 0; key < keysARound; key++) {
		await page.keyboard.press("abcdefgh"[key % 8]!);
		await page.waitForTimeout(20);
	}
	const times = (await page.evaluate(() => globalThis.keyTimes.splice(0))).sort((left, right) => left - right);
	return { p50: median(times), p95: times[Math.floor(times.length * 0.95)]! };
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
	var keyTimes: number[];
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

// The rest runs in the page.

/** Milliseconds from the beginning of loading until a name has been painted. */
function firstText(): Promise<number> {
	return new Promise((resolve) => {
		const look = () => {
			if (!document.querySelector(".row .name")?.textContent) setTimeout(look, 1);
			else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
		};
		look();
	});
}

/** Notes how long it takes from each key to the end of the frame that shows what it did. */
function watchKeys(): void {
	globalThis.keyTimes = [];
	addEventListener(
		"keydown",
		({ timeStamp }) => {
			requestAnimationFrame(() => {
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => globalThis.keyTimes.push(performance.now() - timeStamp);
				port2.postMessage(null);
			});
		},
		true,
	);
}

/** Scrolls through the list, slowly and fast, and counts the frames in which a row was missing. */
async function scroll(): Promise<{ blank: number; frames: number }> {
	const page = document.querySelector("main")!;
	const box = page.getBoundingClientRect();
	const frames = 300;
	let blank = 0;
	for (let frame = 0; frame < frames; frame++) {
		page.scrollTop += frame < 100 ? 120 : frame < 200 ? 900 : 4000;
		await new Promise<void>((resolve) => {
			requestAnimationFrame(() => {
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => resolve();
				port2.postMessage(null);
			});
		});
		const missing = [0.1, 0.3, 0.5, 0.7, 0.9].some((part) => {
			// A message at the foot of the page may cover a row.
			const elements = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height * part);
			return !elements.some((element) => element.matches(".row, .add"));
		});
		if (missing) blank += 1;
	}
	return { blank, frames };
}
