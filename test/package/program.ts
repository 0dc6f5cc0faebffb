import { Outline, OutlineError } from "outlinekit";
import { storageConformance } from "outlinekit/conformance";
import { createFileStorage } from "outlinekit/file";
import { createHttpHandler } from "outlinekit/http";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { liveRows } from "outlinekit/live";
import { fromMarkdown, toText } from "outlinekit/markup";
import { createMemoryStorage } from "outlinekit/memory";
import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import { createSqliteStorage } from "outlinekit/sqlite";

const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
const node = await outline.create({ name: "**Hello**" });
if (node.name !== "<b>Hello</b>" || toText(node.name) !== "Hello") throw new Error(node.name);
if (fromMarkdown("# a\n\n- b").length !== 2) throw new Error("no blocks");
const error = await outline.get("nowhere").then(
	() => undefined,
	(thrown) => thrown,
);
if (!(error instanceof OutlineError) || error.code !== "not_found") throw new Error("no typed error");

// These modules load on first use.
if ((await outline.search("hello")).length !== 1) throw new Error("nothing found");
if ((await outline.verify()).total !== 0 || (await outline.repair()).total !== 0) throw new Error("problems");
for (const format of ["json", "opml", "markdown", "text"] as const) {
	let text = "";
	for await (const piece of outline.exportAs(format)) text += piece;
	const { nodes } = await new Outline({ storage: createMemoryStorage() }).import(text, { format });
	if (nodes !== 1) throw new Error(`${format}: ${nodes} nodes`);
}

const handler = createHttpHandler({ authenticate: (key) => (key === "k" ? outline : null) });
const headers = { authorization: "Bearer k" };
for (const path of [`nodes/${node.id}`, "openapi.json"]) {
	const { status } = await handler(new Request(`http://x/api/v1/${path}`, { headers }));
	if (status !== 200) throw new Error(`${path}: ${status}`);
}
const live = liveRows(outline);
await live.ready;
if (live.current.rows[0]?.node.id !== node.id) throw new Error("no rows");
const inBrowser = new Outline({ storage: createIndexedDbStorage("outline") });
const absent = await inBrowser.list().then(
	() => undefined,
	(thrown) => thrown,
);
if (absent?.code !== "storage_unavailable") throw new Error("IndexedDB isn't missed");
if (postgresSchema().length < 5) throw new Error("no schema");
for (const create of [createSqliteStorage, createPostgresStorage]) {
	let refusal: unknown;
	try {
		Reflect.apply(create, undefined, [undefined, { outline: "x" }]);
	} catch (thrown) {
		refusal = thrown;
	}
	if (!(refusal instanceof OutlineError)) throw new Error("one class of errors for all entry points");
}
let tests = 0;
storageConformance({
	test: () => {
		tests += 1;
	},
	create: () => createMemoryStorage(),
	traits: { durable: "in memory", multiProcess: "in memory", watch: true, peek: true },
});
if (tests < 30) throw new Error("no tests");
const kept = new Outline({ storage: createFileStorage("outline.jsonl") });
await kept.create({ name: "x", parent: "today" });
await kept.close();
