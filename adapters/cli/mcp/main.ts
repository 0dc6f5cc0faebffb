import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Call } from "../call.ts";
import { nameOf } from "../place/place.ts";
import { createServer } from "./server.ts";

/** Serves an outline over stdin and stdout, until the client ends or the user stops it. */
export async function serveMcp(call: Call): Promise<void> {
	const { options, output, signal, stdin, stdout } = call;
	const root = options.text("root");
	const readOnly = options.flag("read-only") ?? false;
	const { outline, place, push } = await call.open({ creates: !readOnly, stays: true });
	// Shows a problem with the root before the first request.
	if (root !== undefined) await outline.get(root);
	// As in the outline: if TZ is empty or wrong, Node names no zone that it knows, and its clock has UTC.
	const { timeZone: system } = Intl.DateTimeFormat().resolvedOptions();
	const timeZone = options.text("time-zone") ?? (system && system !== "Etc/Unknown" ? system : "UTC");
	const server = createServer({ outline, timeZone, root, readOnly });
	await new Promise<void>((resolve) => {
		const stop = () => resolve();
		if (signal.aborted) stop();
		signal.addEventListener("abort", stop, { once: true });
		stdin.once("end", stop);
		stdout.on("error", stop);
		server.protocol.server.onclose = stop;
		server.protocol.server.onerror = ({ message }) => output.note(message);
		void server.protocol.connect(new StdioServerTransport(stdin, stdout)).then(() => {
			// Stdout belongs to the protocol.
			output.note(`Serving ${root ?? "the outline"} in ${nameOf(place)}${readOnly ? ", for reading" : ""}.`);
		});
	});
	await server.stop();
	await push();
}
