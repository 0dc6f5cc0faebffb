import { Outline, OutlineError } from "outlinekit";
import type { Pool } from "pg";
import type { Call } from "../call.ts";
import type { Command } from "../command.ts";
import { exitCodes, Failure, usage } from "../failure.ts";
import type { OptionTable } from "../options.ts";
import { localPlaceOf } from "../place/place.ts";
import type { ListedKey, UserKeys } from "../serve/user-keys.ts";
import { localOptions, outputOptions } from "../shared-options.ts";
import { printable } from "../tree.ts";

const options = {
	database: { ...localOptions.database, help: "the database of the users: postgres://…" },
} satisfies OptionTable;

export const addKey: Command = {
	name: "keys add",
	summary: "Make a key for a user of a PostgreSQL database, and print it",
	arguments: ["<user>"],
	options: {
		url: {
			value: "url",
			variable: "OUTLINEKIT_URL",
			help: "the address of the server in the link; default: http://127.0.0.1:3000",
		},
		label: { value: "text", help: "what the key is for, such as the name of a device; keys list shows it" },
		root: { value: "node", help: "open only this node and all below it, over HTTP; the outliner needs the whole" },
		"read-only": { help: "with --root: allow no changes" },
		...options,
		...outputOptions,
	},
	details:
		"The user needs no other preparation. The key is shown only now: the database keeps a hash of it. A user may have\nmany keys, such as one for each device.",
	async run(call) {
		const { words, options, output } = call;
		const user = words[0]!;
		const node = options.text("root");
		if (user.trim() === "" || user.length > 255) throw usage("The user's name must have 1 to 255 characters.");
		if (options.flag("read-only") && node === undefined) throw usage("--read-only needs a node: give --root.");
		const part = node === undefined ? null : { node, write: !options.flag("read-only") };
		const label = options.text("label") ?? null;
		await withKeys(call, async (keys, pool) => {
			if (part !== null) await assertNode(pool, user, part.node);
			const { id, key } = await keys.add(user, part, label);
			const url = (options.text("url") ?? "http://127.0.0.1:3000").replace(/\/+$/, "");
			const made = { id, user, key, label };
			const rest = `It won't be shown again. Its id, to revoke it: ${id}`;
			// The outliner synchronizes, which needs the whole outline.
			if (part !== null) await output.result({ ...made, url }, `${partText(url, key)}\n${rest}`);
			else await output.result({ ...made, link: `${url}/#key=${key}` }, `${url}/#key=${key}\n${rest}`);
		});
	},
};

export const listKeys: Command = {
	name: "keys list",
	summary: "List the keys of a PostgreSQL database, without the keys themselves",
	arguments: ["[user]"],
	options: { ...options, ...outputOptions },
	async run(call) {
		const [user] = call.words;
		await withKeys(call, async (keys) => {
			const found = await keys.list(user);
			for (const key of found) await call.output.result(key, lineOf(key));
			if (found.length === 0) call.output.hint("There are no keys. To make one: outlinekit keys add <user>");
		});
	},
};

export const revokeKey: Command = {
	name: "keys revoke",
	summary: "Delete a key of a PostgreSQL database; the next request with it is refused",
	arguments: ["<id>"],
	options: { ...options, ...outputOptions },
	async run(call) {
		const id = call.words[0]!;
		await withKeys(call, async (keys) => {
			if (!(await keys.revoke(id))) {
				throw new Failure("not_found", `There is no key ${id}. See outlinekit keys list.`, exitCodes.missing);
			}
			await call.output.result({ id }, "The key is revoked.");
		});
	},
};

function lineOf({ id, user, label, part, createdAt }: ListedKey): string {
	const scope = part === null ? [] : [`${part.write ? "" : "reads "}${part.node}`];
	return [id, createdAt.toISOString(), user, ...(label === null ? [] : [label]), ...scope].map(printable).join("  ");
}

/** Says how to use a key for a part. */
function partText(url: string, key: string): string {
	return `The key opens a part of the outline, over HTTP and on the command line: ${key}
  curl ${url}/api/v1/nodes -H "Authorization: Bearer ${key}"
  outlinekit list --server ${url} --key ${key}`;
}

/** Refuses a node that the user's outline doesn't have. @throws Failure */
async function assertNode(pool: Pool, user: string, node: string): Promise<void> {
	const { createPostgresStorage } = await import("outlinekit/postgres");
	const outline = new Outline({ storage: createPostgresStorage(pool, { outline: user }) });
	try {
		await outline.get(node);
	} catch (error) {
		if (!(error instanceof OutlineError && error.code === "not_found")) throw error;
		throw new Failure(
			error.code,
			`The outline of ${user} has no node ${JSON.stringify(node)}. Create it first, or give its id.`,
			exitCodes.missing,
		);
	} finally {
		await outline.close();
	}
}

/** Runs work on the keys of the database that the options name. */
async function withKeys({ options, output }: Call, work: (keys: UserKeys, pool: Pool) => Promise<void>): Promise<void> {
	const place = localPlaceOf(options);
	if (place.kind !== "postgres") {
		throw usage(
			"Keys are for a PostgreSQL database: give --database postgres://… A file has one key, which serve prints.",
		);
	}
	const [{ openPostgres }, { UserKeys }] = await Promise.all([
		import("../place/drivers.ts"),
		import("../serve/user-keys.ts"),
	]);
	const pool = await openPostgres(place.url, ({ message }) => output.note(`A connection broke: ${message}`));
	try {
		const keys = new UserKeys(pool);
		await keys.createTable();
		await work(keys, pool);
	} finally {
		await pool.end();
	}
}
