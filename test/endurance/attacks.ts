import type { Attacker } from "./attacker.js";

/** Requests of one kind that may cost much more than they weigh. */
export interface Attack {
	readonly name: string;
	/**
	 * Creates the nodes for the requests, and returns the function that sends the requests of a round.
	 *
	 * @param part - the size of everything, up to 1
	 */
	prepare(attacker: Attacker, part: number): Promise<(round: number) => Promise<unknown>>;
}

/** As much text as one request can have, or a part of it, of one character. */
const long = (part: number, character = "a") =>
	character.repeat(Math.floor((1_000_000 * part) / Buffer.byteLength(character)));

const times = <T>(count: number, make: (place: number) => T): T[] =>
	Array.from({ length: Math.ceil(count) }, (_, at) => make(at));

/** A node whose note is long. */
async function longNode(attacker: Attacker, part: number, character = "a"): Promise<string> {
	return attacker.make("item_id", "nodes", { name: "long", note: long(part, character) });
}

/** A node below which there are 300 mirrors of one with a long note. */
async function mirrored(attacker: Attacker, part: number): Promise<string> {
	const origin = await longNode(attacker, part);
	const home = await attacker.make<string>("item_id", "nodes", { name: "home" });
	// Not all at once, so that what is measured is the reading.
	for (let made = 0; made < 300 * part; made += 10) {
		const operations = times(10, () => ({ type: "mirror", id: origin, parent_id: home }));
		await attacker.ask("POST", "batch", { operations });
	}
	return home;
}

/** A file in OPML with so many nodes, one below the other. */
function opmlChain(length: number): string {
	const [open, close] = ['<outline text="a">', "</outline>"];
	return `<opml version="2.0"><body>${open.repeat(length)}${close.repeat(length)}</body></opml>`;
}

const importOpml = (attacker: Attacker, length: number) =>
	attacker.ask("POST", "import?format=opml", opmlChain(length), { "content-type": "text/x-opml" });

const importText = (attacker: Attacker, text: string) =>
	attacker.ask("POST", "import?format=text", text, { "content-type": "text/plain" });

/** Imports a list of so many short nodes, below one that is new. */
async function longList(attacker: Attacker, length: number): Promise<string> {
	const { body } = await importText(attacker, `list\n${"\ta\n".repeat(length)}`);
	return (body.report as { root_ids: [string] }).root_ids[0];
}

/** Reads a tree to its end. */
async function readTree(attacker: Attacker, query: string): Promise<void> {
	let cursor = "";
	do {
		const { body } = await attacker.ask("GET", `tree?limit=10000${query}${cursor}`);
		cursor = typeof body.cursor === "string" ? `&cursor=${encodeURIComponent(body.cursor)}` : "";
	} while (cursor !== "");
}

/** Paths whose answers have much text after {@link mirrored}. */
const largeAnswers = (home: string) => [
	`nodes?parent_id=${home}`,
	"tree?limit=10000",
	"changes?since=0&limit=10000",
	"search?q=long&limit=1000",
	"nodes-export",
	"export?format=markdown",
];

/** An attack by one text as the name of a node. */
function name(title: string, text: (part: number) => string): Attack {
	return {
		name: `a name of ${title}`,
		prepare: async (attacker, part) => () => attacker.ask("POST", "nodes", { name: text(part) }),
	};
}

/** An attack by a query on notes of one repeated word. */
function query(title: string, text: string): Attack {
	return {
		name: `a search for ${title}`,
		async prepare(attacker, part) {
			for (let note = 0; note < 10; note++) {
				await attacker.make("item_id", "nodes", { name: "note", note: "a ".repeat(500_000 * part) });
			}
			return () => attacker.ask("GET", `search?q=${encodeURIComponent(text)}`);
		},
	};
}

/** All that the attackers of this interface have thought of. */
export const attacks: readonly Attack[] = [
	...["a", "ä", "字"].map(
		(character): Attack => ({
			name: `batches whose results have a long note of ${character} 450 times, with a key each`,
			async prepare(attacker, part) {
				const id = await longNode(attacker, part, character);
				const operations = times(450 * part, (at) => ({ type: at % 2 ? "uncomplete" : "complete", id }));
				return (round) => attacker.ask("POST", "batch", { operations }, { "idempotency-key": `key ${round}` });
			},
		}),
	),
	{
		name: "trees with long texts, with a key each",
		prepare: async (attacker, part) => (round) =>
			attacker.ask("POST", "trees", { name: "a", note: long(part) }, { "idempotency-key": `key ${round}` }),
	},
	...["a", "ä"].map(
		(character): Attack => ({
			name: `600 mirrors of a long note of ${character}`,
			async prepare(attacker, part) {
				const origin = await longNode(attacker, part, character);
				return async () => {
					const home = await attacker.make("item_id", "nodes", { name: "home" });
					const operations = times(600 * part, () => ({ type: "mirror", id: origin, parent_id: home }));
					return attacker.ask("POST", "batch", { operations });
				};
			},
		}),
	),
	...[
		[5000, 300],
		[15_000, 1000],
	].map(
		([nodes, mirrors]): Attack => ({
			name: `detaching ${mirrors} mirrors of a tree of ${nodes} nodes`,
			prepare: async (attacker, part) => async () => {
				const children = times(nodes! * part, () => ({ name: "c" }));
				const tree = await attacker.make<string>("item_id", "trees", { name: "tree", children });
				const home = await attacker.make<string>("item_id", "nodes", { name: "home" });
				const operations = times(mirrors! * part, () => ({ type: "mirror", id: tree, parent_id: home }));
				await attacker.ask("POST", "batch", { operations });
				await attacker.ask("GET", `nodes/${tree}/deletion-plan?mirrors=detach`);
				await attacker.ask("DELETE", `nodes/${tree}?mirrors=detach`);
			},
		}),
	),
	{
		name: "lists and more of 300 mirrors of a long note, read",
		async prepare(attacker, part) {
			const home = await mirrored(attacker, part);
			const paths = largeAnswers(home);
			return (round) => attacker.ask("GET", paths[round % paths.length]!);
		},
	},
	...[0, 1, 2, 3, 4, 5].map(
		(place): Attack => ({
			name: `${largeAnswers("…")[place]} of 300 mirrors of a long note, opened and not read`,
			async prepare(attacker, part) {
				const home = await mirrored(attacker, part);
				return () => attacker.stare(largeAnswers(home)[place]!);
			},
		}),
	),
	{
		name: "streams of changes of 300 mirrors of a long note, opened and not read",
		async prepare(attacker, part) {
			await mirrored(attacker, part);
			return () => attacker.stare("changes/stream?since=0");
		},
	},
	{
		name: "a chain of 5,000 nodes, its tree six times at once, and a search",
		async prepare(attacker, part) {
			await importOpml(attacker, 5000 * part);
			return async () => {
				await Promise.all(times(6, () => readTree(attacker, "")));
				await attacker.ask("GET", "search?q=a&limit=1000");
			};
		},
	},
	{
		name: "a chain of 30,000 nodes made as a tree, and all that reads it",
		async prepare(attacker, part) {
			const depth = Math.floor(30_000 * part);
			const text = `${'{"name":"a","children":['.repeat(depth)}{"name":"leaf"}${"]}".repeat(depth)}`;
			await attacker.ask("POST", "trees", text, { "content-type": "application/json" });
			return async () => {
				await readTree(attacker, "");
				await attacker.ask("GET", "search?q=a&limit=1000");
				await attacker.ask("GET", "search?q=leaf");
				await attacker.ask("GET", "export?format=opml");
			};
		},
	},
	{
		name: "trees of 30,000 levels, which are deleted again",
		prepare: async (attacker, part) => async () => {
			const depth = Math.floor(30_000 * part);
			const text = `${'{"name":"","children":['.repeat(depth)}{"name":"leaf"}${"]}".repeat(depth)}`;
			const { body } = await attacker.ask("POST", "trees", text, { "content-type": "application/json" });
			await attacker.ask("DELETE", `nodes/${body.item_id}`);
		},
	},
	{
		name: "imports of 15 long lines, which are deleted again",
		prepare: async (attacker, part) => async () => {
			const { body } = await importText(attacker, `${long(part).slice(1)}\n`.repeat(15));
			const ids = (body.report as { root_ids: string[] } | undefined)?.root_ids ?? [];
			await attacker.ask("POST", "batch", { operations: ids.map((id) => ({ type: "delete", id })) });
		},
	},
	{
		name: "files of 100 MB",
		prepare: async (attacker, part) => () =>
			importText(attacker, `${long(part).slice(1)}\n`.repeat(100)).catch(isRefused),
	},
	{
		name: "imports of 200,000 lines of a letter, which are deleted again",
		prepare: async (attacker, part) => async () => {
			const id = await longList(attacker, 200_000 * part);
			await attacker.ask("GET", `nodes/${id}/deletion-plan`);
			await attacker.ask("DELETE", `nodes/${id}`);
		},
	},
	{
		name: "a list of 200,000 nodes, read",
		async prepare(attacker, part) {
			const id = await longList(attacker, 200_000 * part);
			return () => attacker.ask("GET", `nodes?parent_id=${id}`);
		},
	},
	{
		name: "a list of 200,000 nodes, opened and not read",
		async prepare(attacker, part) {
			const id = await longList(attacker, 200_000 * part);
			return () => attacker.stare(`nodes?parent_id=${id}`);
		},
	},
	{
		name: "changes of a commit of 200,000 nodes, read",
		async prepare(attacker, part) {
			await longList(attacker, 200_000 * part);
			return () => attacker.ask("GET", "changes?since=0");
		},
	},
	{
		name: "20 nodes of 10,000 mirrors each, listed",
		async prepare(attacker, part) {
			const id = await attacker.make<string>("item_id", "nodes", { name: "origin" });
			for (let home = 0; home < 20; home++) {
				const parent = await attacker.make<string>("item_id", "nodes", { name: "home" });
				const operations = times(500 * part, () => ({ type: "mirror", id, parent_id: parent }));
				await attacker.ask("POST", "batch", { operations });
			}
			return async () => {
				await attacker.ask("GET", "nodes");
				await attacker.ask("GET", `nodes/${id}`);
				await attacker.ask("DELETE", `nodes/${id}`);
			};
		},
	},
	name("emphasis that may end anywhere", (part) => long(part, "*_")),
	name("emphasis that begins and never ends", (part) => long(part, "a*")),
	name("escapes", (part) => long(part / 2, "\\\\")),
	name("code that never ends", (part) => long(part, "`x ``")),
	name("quotes in quotes", (part) => long(part, ">")),
	name("lists of one letter", (part) => long(part, "- a\n")),
	{
		name: "imports of 2.4 MB of emphasis, which are deleted again",
		prepare: async (attacker, part) => async () => {
			const text = `${"*_".repeat(1000)}\n\n`.repeat(1200 * part);
			const { body } = await attacker.ask("POST", "import?format=markdown", text, { "content-type": "text/markdown" });
			const ids = (body.report as { root_ids: string[] } | undefined)?.root_ids ?? [];
			await attacker.ask("POST", "batch", { operations: ids.map((id) => ({ type: "delete", id })) });
		},
	},
	query("a long phrase of a repeated word", `"${"a ".repeat(498)}a"`),
	query("a tag of a repeated word", `${"|a".repeat(499)}`),
	query("the same word 99 times", "a ".repeat(99).trim()),
	query("50 alternatives that are the same", times(50, () => "a").join(" OR ")),
	{
		name: "500 streams of changes, and what is written meanwhile",
		async prepare(attacker, part) {
			await Promise.all(times(500 * part, () => attacker.stare("changes/stream")));
			return () => attacker.make("item_id", "nodes", { name: "a", note: long(part) });
		},
	},
];

/** A server that refuses a body while it is sent may close the connection before its answer is read. */
function isRefused(error: NodeJS.ErrnoException): void {
	if (error.code !== "EPIPE" && error.code !== "ECONNRESET") throw error;
}
