import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
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
			await replica.sync();
			const conflicts = await replica.conflicts();
			await output.result(
				{ file: name, server: server.url, conflicts },
				[
					`${name} and ${server.url} have the same outline.`,
					...conflicts.map(({ kind, nodeId }) => `Conflict (${kind}) at ${nodeId}: choose in the outliner.`),
				].join("\n"),
			);
		} finally {
			await close();
		}
	},
};
