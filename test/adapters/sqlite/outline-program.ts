import { createInterface } from "node:readline";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import { OutlineError } from "../../../src/errors.js";
import type { Outline } from "../../../src/outline.js";
import { Ledger } from "../../conformance/ledger.js";
import { key, nodes } from "../../conformance/records.js";
import { RandomOperations } from "../../model/random-operations.js";
import { newOutline } from "../../support/outline.js";
import { storageInParts } from "./in-parts.js";
import { openDatabase } from "./open-database.js";

/*
 * Works on outlines in an SQLite file: `<client> <path> <outline> <task> …`. It prints `ready` and then what
 * is acknowledged. The tasks are below. With `, in parts` after the client's name, almost every commit is
 * written in several transactions.
 */
const [clientAndWay = "", path = "", name = "", task = "", ...rest] = process.argv.slice(2);
const [client = "", way] = clientAndWay.split(", ");
const say = (line: string) => process.stdout.write(`${line}\n`);
const told = createInterface(process.stdin);

function openOutline(database = openDatabase(client, path)): Outline {
	const storage =
		way === "in parts"
			? storageInParts(database, { outline: name })
			: createSqliteStorage(database, { outline: name, busyTimeout: 20_000 });
	return newOutline({ storage });
}

/** The outcome of an operation, in one word. */
async function word(operation: Promise<unknown>): Promise<string> {
	try {
		await operation;
		return "done";
	} catch (error) {
		return error instanceof OutlineError ? error.code : `failed with ${String(error)}`;
	}
}

const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
	/**
	 * `<who> <count>`: creates nodes, some on the same calendar days as the other processes, and prints the
	 * name of each.
	 */
	create: async () => {
		const outline = openOutline();
		const [who, count] = rest;
		for (let number = 0; number < Number(count); number++) {
			const parent = [null, "today", "2027-02-28", "inbox"][number % 4]!;
			const position = number % 3 === 0 ? "top" : "bottom";
			const outcome = await word(outline.create({ name: `${who} ${number}`, parent, position }));
			say(outcome === "done" ? `${who} ${number}` : outcome);
		}
		return outline.close();
	},
	/**
	 * `<who> <first> <seed>`: creates nodes without end and prints the number of each, with other operations in
	 * between.
	 */
	endless: async () => {
		const outline = openOutline();
		const [who, first, seed] = rest;
		const random = new RandomOperations(Number(seed));
		for (let number = Number(first); ; number++) {
			const note = who!.repeat(Math.floor(Math.random() * 2_000));
			const outcome = await word(outline.create({ name: `${who} ${number}`, note, position: "bottom" }));
			say(outcome === "done" ? String(number) : outcome);
			const error = await random.make(outline);
			if (error !== undefined) say(error.code);
		}
	},
	/**
	 * `<count>`: reads a time and a path, again and again. At that time it opens this many connections to the
	 * file. Each creates a node, and the program prints the outcomes.
	 */
	open: async () => {
		for await (const line of told) {
			const [, time, file] = /^(\d+) (.*)$/.exec(line)!;
			// As many processes as possible should begin at the same moment.
			while (Date.now() < Number(time));
			const databases = Array.from({ length: Number(rest[0]) }, () => openDatabase(client, file!));
			const outlines = databases.map((database) => openOutline(database));
			const outcomes = outlines.map((outline) => word(outline.create({ name: "opened", parent: "today" })));
			say((await Promise.all(outcomes)).join(" "));
			for (const database of databases) database.close();
		}
	},
	/** `<count>`: makes this many commits. Each names a hundred nodes after its revision. */
	rename: async () => {
		const ledger = new Ledger(
			createSqliteStorage(openDatabase(client, path), { outline: name, synchronous: "normal" }),
		);
		for (let revision = 1; revision <= Number(rest[0]); revision++) {
			await ledger.commit({
				put: nodes(100, () => ({ name: `${revision}` })),
				point: [key("current", revision % 100)],
			});
			if (revision === 1) say("begun");
		}
	},
	/** Only watches. */
	watch: async () => {
		const outline = openOutline();
		outline.subscribe(() => {});
		say(await word(outline.create({ name: "watched" })));
	},
};

say("ready");
await tasks[task]!();
process.stdin.destroy();
