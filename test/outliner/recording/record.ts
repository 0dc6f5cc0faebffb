import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContext, BrowserContextOptions } from "playwright-core";
import { beforeAll, test } from "vitest";
import { newOutline } from "../../support/outline.js";
import { sharedFolder } from "../../support/temporary.js";
import { look } from "../../sync/meeting.js";
import { App, type Tab } from "../app.js";
import { type Session, sessions } from "./sessions.js";
import { Writer } from "./writer.js";

const app = new App();
const outDir = sharedFolder();
const traces = new URL("../../fixtures/outliner-traces/", import.meta.url);

/** The profiles at the ends of the sessions, for the sessions that continue them. */
const ends = new Map<string, NonNullable<BrowserContextOptions["storageState"]>>();

beforeAll(async () => {
	const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
	const { build } = await import("vite");
	await build({
		configFile: path("../../../examples/outliner/vite.config.ts"),
		logLevel: "warn",
		build: { outDir, emptyOutDir: true },
		resolve: { alias: [{ find: /^outlinekit$/, replacement: path("recording-outline.ts") }] },
	});
	await app.serve(outDir);
	mkdirSync(traces, { recursive: true });
});

test.each(sessions.map((session, index) => [session.name, session, index + 1] as const))(
	"%s",
	async (name, session, number) => {
		const { after = null } = session;
		const state = after === null ? undefined : ends.get(after)!;
		const context = await app.profile({ timezoneId: "UTC", ...(state !== undefined && { storageState: state }) });
		const lines: string[] = [];
		await context.exposeFunction("keepCall", (line: string) => void lines.push(line));
		await context.addInitScript((session) => Object.assign(globalThis, { recorder: { session } }), number);
		const tabs = await play(context, session, number);
		const rows = await rowsOf(tabs[0]!);
		const text = [JSON.stringify({ after }), ...lines, JSON.stringify({ rows })];
		writeFileSync(new URL(`${name}.jsonl`, traces), `${text.join("\n")}\n`);
		console.log(`${name}: ${lines.length} calls`);
		const end = await context.storageState({ indexedDB: true });
		for (const origin of end.origins) {
			origin.localStorage = origin.localStorage.filter(({ name }) => name !== "recorder-tabs");
		}
		ends.set(name, end);
	},
);

/** Lets the users of a session work. Returns their tabs. */
async function play(context: BrowserContext, { after, tabs = 1, run }: Session, number: number): Promise<Tab[]> {
	let now = Date.UTC(2026, 10, 21, after === undefined ? 9 : 14);
	const clock = {
		async pass(milliseconds: number) {
			now += milliseconds;
			await context.clock.setFixedTime(now);
		},
	};
	await clock.pass(0);
	let words = number * 1000;
	const writers: Writer[] = [];
	for (let tab = 0; tab < tabs; tab++) {
		const writer = new Writer(await app.open(context), clock, () => `w${++words}`);
		await writer.settled();
		writers.push(writer);
	}
	await run(writers[0]!, writers[1]!);
	return writers.map(({ tab }) => tab);
}

/** The whole outline as {@link look} shows it, as the page has it. */
async function rowsOf({ page }: Tab): Promise<string[]> {
	const json = await page.evaluate(async () => {
		const { recordedOutline } = globalThis as unknown as {
			recordedOutline: { exportAs(format: "json"): AsyncIterable<string> };
		};
		let text = "";
		for await (const piece of recordedOutline.exportAs("json")) text += piece;
		return text;
	});
	const outline = newOutline();
	await outline.import(json, { format: "json" });
	return (await look(outline)).split("\n");
}
