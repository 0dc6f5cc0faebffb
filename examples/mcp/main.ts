import { resolve } from "node:path";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createServer } from "./server.ts";
import { settingsFrom } from "./settings.ts";

// Stdout belongs to the protocol: whatever people are to read goes to stderr.
try {
	const { file, timeZone, root, readOnly } = settingsFrom(process.argv.slice(2), process.env);
	// Without a history, since no tool undoes.
	const outline = new Outline({ storage: createFileStorage(resolve(file)), timeZone, history: { steps: 0 } });
	// Opens the file now, so that a problem with it, or with the root, shows before the first request.
	await (root === undefined ? outline.targets() : outline.get(root));

	const server = createServer({ outline, timeZone, root, readOnly });
	let stopping = false;
	const stop = async () => {
		if (stopping) return;
		stopping = true;
		await server.stop();
		await outline.close();
	};
	// Without a call of process.exit: the last answers may be on their way. A second signal ends it at once.
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
	process.stdin.once("end", stop);
	process.stdout.on("error", stop);
	server.protocol.server.onclose = stop;
	server.protocol.server.onerror = (error) => console.error(error.message);
	await server.protocol.connect(new StdioServerTransport());
	console.error(`Serving ${root ?? "the outline"} in ${resolve(file)}${readOnly ? ", for reading" : ""}.`);
} catch (error) {
	console.error(`The server couldn't start: ${(error as Error).message}`);
	process.exit(1);
}
