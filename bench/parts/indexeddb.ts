import { PageBrowser } from "../../test/browser/browser.ts";
import { browserPath } from "../../test/setup/browser.ts";
import { runs } from "../fresh.ts";
import type * as page from "../indexeddb-page.ts";
import { MainThread } from "../main-thread.ts";
import { median } from "../measure.ts";
import type { Extent } from "../part.ts";
import type { Row, Table } from "../report.ts";

const nodes = 100_000;

const goals = {
	"create, relaxed, µs": 0.6,
	"create, strict, µs": 0.6,
	"bulk create, µs a node": 0.05,
	"load to the root's children, ms": 0.4,
	"get, µs, beside a Map": 2,
	"list, µs, beside a Map": 2,
	"export, µs a node, beside a Map": 1.2,
};

const large = 1_000_000;
const small = 10_000;
/** The outlines of {@link small} nodes that are open in one tab. */
const many = 10;

type Name = keyof typeof goals;

/**
 * `Outline` on IndexedDB in a browser, compared with idb and a record for each node; reads compared with a
 * Map.
 */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	process.env.OUTLINE_BROWSER = await browserPath();
	const figures = {} as Record<Name, { ours: number[]; base: number[] }>;
	for (const name of Object.keys(goals) as Name[]) figures[name] = { ours: [], base: [] };
	const take = (name: Name, { ours, base }: page.Pair) => {
		figures[name].ours.push(ours);
		figures[name].base.push(base);
	};
	const synced: number[] = [];
	for (let run = 0; run < runs; run++) synced.push(await measureOnce(take));
	yield {
		key: "indexeddb",
		title: `IndexedDB in Chromium, ${nodes.toLocaleString("en")} nodes`,
		unit: "",
		base: "idb, a record a node, or a Map",
		ours: "Outline",
		rows: (Object.keys(goals) as Name[]).map((name): Row => ({ name, ...figures[name], goal: { ratio: goals[name] } })),
	};
	yield {
		key: "indexeddb sync",
		title: `First sync of ${nodes.toLocaleString("en")} nodes on IndexedDB in Chromium`,
		unit: "",
		base: "",
		ours: "Outline",
		rows: [{ name: "to the root's children, with the work of the server, ms", ours: synced, limit: 3000 }],
	};
	if (full) yield await largeOutlines();
}

/** An outline of a million nodes, and many small ones in one tab, beside a small one. */
async function largeOutlines(): Promise<Table> {
	const one = await measureTab([small]);
	const million = await measureTab([large]);
	const ten = await measureTab(Array.from({ length: many }, () => small));
	const row = (name: string, ours: number, base: number) => ({ name, ours: [ours], base: [base] });
	return {
		key: "indexeddb large",
		title: `A million nodes in Chromium, and ${many} outlines of ${small.toLocaleString("en")} in one tab`,
		unit: "",
		base: "one of 10,000",
		ours: "a million, or ten",
		rows: [
			row("a million: import of Markdown in five files, ms", million.imported, one.imported),
			row("a million: to the root's children, ms", million.opened, one.opened),
			row("a million: list, µs", million.list, one.list),
			row("a million: rename, µs", million.type, one.type),
			row("a million: heap, MB", million.heap, one.heap),
			row("ten: to the root's children of the last one, ms", ten.opened, one.opened),
			row("ten: rename, µs", ten.type, one.type),
			row("ten: heap, MB", ten.heap, one.heap),
		],
	};
}

/** Imports outlines in one tab, and opens them in another one. */
async function measureTab(sizes: readonly number[]) {
	const browser = new PageBrowser<typeof page>(new URL("../indexeddb-page.ts", import.meta.url));
	try {
		await browser.start();
		const first = await browser.open();
		let imported = 0;
		for (const [index, size] of sizes.entries()) imported = await first.call("importFiles", `outline ${index}`, size);
		await first.close();
		const tab = await browser.open();
		let opened = 0;
		for (const index of sizes.keys()) opened = await tab.call("openFile", `outline ${index}`);
		const { list, type } = await tab.call("listAndType");
		const heap = await (await MainThread.of(tab.page)).heap();
		return { imported, opened, list, type, heap };
	} finally {
		await browser.close();
	}
}

/**
 * A browser with a profile of its own, and a tab of its own for what must find nothing in memory. Returns the
 * milliseconds of a first sync.
 */
async function measureOnce(take: (name: Name, pair: page.Pair) => void): Promise<number> {
	const browser = new PageBrowser<typeof page>(new URL("../indexeddb-page.ts", import.meta.url));
	try {
		await browser.start();
		const tab = await browser.open();
		for (const durability of ["relaxed", "strict"] as const) {
			const pairs = await tab.call("createOneByOne", durability);
			const middle = (which: keyof page.Pair) => median(pairs.map((pair) => pair[which]));
			take(`create, ${durability}, µs`, { ours: middle("ours"), base: middle("base") });
		}
		take("bulk create, µs a node", await tab.call("fill", nodes));
		await tab.close();
		const inNewTab = async <T>(work: (tab: Awaited<ReturnType<typeof browser.open>>) => Promise<T>) => {
			const another = await browser.open();
			try {
				return await work(another);
			} finally {
				await another.close();
			}
		};
		take("load to the root's children, ms", {
			ours: await inNewTab((another) => another.call("loadOutline")),
			base: await inNewTab((another) => another.call("loadBare")),
		});
		const read = await inNewTab((another) => another.call("read", nodes));
		take("get, µs, beside a Map", read.get);
		take("list, µs, beside a Map", read.list);
		take("export, µs a node, beside a Map", read.export);
		return await inNewTab((another) => another.call("firstSync", nodes));
	} finally {
		await browser.close();
	}
}
