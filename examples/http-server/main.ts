import { setFlagsFromString } from "node:v8";
import { startServer } from "./server.ts";
import { settingsFromEnvironment } from "./settings.ts";

// By default V8 lets the heap grow to four times its live size before it collects garbage. Most of the
// server's memory would be garbage.
setFlagsFromString("--heap-growing-percent=100");

try {
	const { address, networkAddresses, hasOutliner, apiKey, file, stop } = await startServer(
		settingsFromEnvironment(process.env),
	);
	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		process.once(signal, () => {
			// A second signal meets no handler any more and ends the process at once.
			void stop().then(() => process.exit(0));
		});
	}
	const linkAt = (each: string) => `${each}/#key=${apiKey}`;
	const others = networkAddresses.map((each) => `\nOn another device: ${linkAt(each)}`).join("");
	const outliner = `
Write in your browser: ${linkAt(address)}${others}
The browser keeps a copy that works offline too. The link has your API key in it: keep it to yourself.
`;
	console.log(`${hasOutliner ? outliner : ""}
For programs: the same outline is served at ${address}/api/v1/ and kept in ${file}
API key: ${apiKey}

Try it:
  curl -X POST ${address}/api/v1/nodes -H "Authorization: Bearer ${apiKey}" -H "Content-Type: application/json" -d '{"parent_id":"today","name":"**Hello**, outline"}'
  curl ${address}/api/v1/nodes-export -H "Authorization: Bearer ${apiKey}"

Ctrl-C stops it.`);
} catch (error) {
	const code = (error as NodeJS.ErrnoException).code;
	console.error(
		code === "EADDRINUSE"
			? "The port is in use. Stop what uses it, or choose another one: PORT=3001 npm start"
			: `The server couldn't start: ${(error as Error).message}`,
	);
	process.exit(1);
}
