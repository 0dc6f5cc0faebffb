import { OutlineError } from "outlinekit";
import type { Command } from "../command.ts";
import { Failure, usage } from "../failure.ts";
import { counted } from "../output.ts";
import { serverOf } from "../place/place.ts";
import { localOptions, outputOptions, serverOptions } from "../shared-options.ts";

export const sync: Command = {
	name: "sync",
	summary: "Exchange the changes of a local outline and a server",
	arguments: [],
	options: { ...localOptions, ...serverOptions, ...outputOptions },
	details:
		"The local outline is a copy of the server's afterwards. Other commands work on it without a connection, and the\nnext sync sends their changes.",
	async run(call) {
		const { output, options } = call;
		const server = serverOf(options);
		if (server === undefined) throw usage("Give the server with --server or in OUTLINEKIT_SERVER.");
		const { openReplica } = await import("../place/open.ts");
		const { replica, name, close } = await openReplica(call, server);
		try {
			output.progress(`Exchanging with ${server.url}`);
			await replica.sync().catch((error: unknown) => {
				throw isOtherOutline(error) ? otherOutline(name, server.url) : error;
			});
			const conflicts = await replica.conflicts();
			await output.result(
				{ file: name, server: server.url, conflicts },
				`${name} and ${server.url} have the same outline.`,
			);
			if (conflicts.length > 0) {
				output.hint(`${counted(conflicts.length, "conflict")} to settle: outlinekit conflicts list`);
			}
		} finally {
			await close();
		}
	},
};

function isOtherOutline(error: unknown): boolean {
	return error instanceof OutlineError && error.code === "wrong_outline";
}

/** Returns the error of a copy whose server has another outline. The library's message is for programs. */
function otherOutline(name: string, url: string): Failure {
	return new Failure(
		"wrong_outline",
		`${name} is the copy of another outline than the one at ${url}. Nothing was changed. Check the address and the key. If the server has lost its outline or was restored from an export, export what only this copy has (outlinekit export --file ${name}), then sync to a new file.`,
	);
}
