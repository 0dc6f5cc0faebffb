import { join } from "node:path";
import { keyChecker } from "../../adapters/cli/serve/key.js";
import { type RunningServer, startServer } from "../../adapters/cli/serve/server.js";
import { createFileStorage } from "../../adapters/file.js";
import { Outline } from "../../src/outline.js";

/** The settings of a server in this process. */
export interface FileServerSettings {
	readonly port: number;
	/** The folder of the outline's file. */
	readonly directory: string;
	readonly apiKey: string;
}

/** Starts the server of `outlinekit serve` in this process, over the file `outline.jsonl`. The caller stops it. */
export function startFileServer({ port, directory, apiKey }: FileServerSettings): Promise<RunningServer> {
	const outline = new Outline({
		storage: createFileStorage(join(directory, "outline.jsonl")),
		timeZone: "UTC",
		history: { steps: 0 },
	});
	const isRight = keyChecker(apiKey);
	return startServer({
		port,
		authenticate: (offered) => (isRight(offered) ? outline : null),
		close: () => outline.close(),
	});
}
