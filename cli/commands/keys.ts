import type { Call } from "../call.ts";
import type { Command, OptionTable } from "../command.ts";
import { exitCodes, Failure, usage } from "../failure.ts";
import { localPlaceOf } from "../place/place.ts";
import type { ListedKey, UserKeys } from "../serve/user-keys.ts";
import { localOptions, outputOptions } from "../shared-options.ts";

const options = {
	database: { ...localOptions.database, help: "the database of the users: postgres://…" },
} satisfies OptionTable;

export const addKey: Command = {
	name: "keys add",
	summary: "Make a key for a user of a PostgreSQL database, and print its link",
	arguments: ["<user>"],
	options: {
		url: {
			value: "url",
			variable: "OUTLINEKIT_URL",
			help: "the address of the server in the link; default: http://127.0.0.1:3000",
		},
		root: { value: "node", help: "open only this node and all below it" },
		"read-only": { help: "with --root: allow no changes" },
		...options,
		...outputOptions,
	},
	details:
		"The user needs no other preparation. The link is shown only now: the database keeps a hash of the key. A user may\nhave many keys, such as one for each device.",
	async run(call) {
		const { words, options, output } = call;
		const user = words[0]!;
		const node = options.text("root");
		if (user.trim() === "" || user.length > 255) throw usage("The user's name must have 1 to 255 characters.");
		if (options.flag("read-only") && node === undefined) throw usage("--read-only needs a node: give --root.");
		const part = node === undefined ? null : { node, write: !options.flag("read-only") };
		await withKeys(call, async (keys) => {
			const { id, key } = await keys.add(user, part);
			const url = (options.text("url") ?? "http://127.0.0.1:3000").replace(/\/+$/, "");
			const link = `${url}/#key=${key}`;
			await output.result(
				{ id, user, key, link },
				`${link}\nThe link won't be shown again. Its id, to revoke it: ${id}`,
			);
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
			for (const key of await keys.list(user)) await call.output.result(key, lineOf(key));
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

function lineOf({ id, user, part, createdAt }: ListedKey): string {
	const scope = part === null ? "" : `  ${part.write ? "" : "reads "}${part.node}`;
	return `${id}  ${createdAt.toISOString()}  ${user}${scope}`;
}

/** Runs work on the keys of the database that the options name. */
async function withKeys({ options, output }: Call, work: (keys: UserKeys) => Promise<void>): Promise<void> {
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
		await work(keys);
	} finally {
		await pool.end();
	}
}
