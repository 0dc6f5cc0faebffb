import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterEach } from "vitest";
import { createServer, type ServedOutline } from "../../../adapters/cli/mcp/server.js";
import type { Outline } from "../../../src/outline.js";
import { unusedId } from "../../support/ids.js";
import { planted } from "../../support/outline.js";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const page = readFileSync(join(root, "docs/guides/language-models.md"), "utf8");

/** The objects to close after a test. */
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const each of open.splice(0)) await each.close();
});

/** The answer of a tool. */
interface Answer {
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests are about
	readonly content: any;
	readonly isError: boolean;
}

/** A client of the server. */
export class Session {
	readonly client = new Client({ name: "test", version: "1" });

	async call(name: string, input: object = {}): Promise<Answer> {
		const answer = (await this.client.callTool({ name, arguments: { ...input } })) as CallToolResult;
		const [part] = answer.content;
		if (part?.type !== "text") throw new Error(`${name} gave no text`);
		return { text: part.text, content: answer.structuredContent, isError: answer.isError === true };
	}

	/** Lists the tools too: with their schemas the client checks every answer. */
	async connect(transport: Parameters<Client["connect"]>[0]): Promise<this> {
		open.unshift(this.client);
		await this.client.connect(transport);
		await this.client.listTools();
		return this;
	}
}

/** A session with a server in this process. */
export async function serve(served: Partial<ServedOutline> & { outline: Outline }): Promise<Session> {
	const server = createServer({ timeZone: "UTC", root: undefined, readOnly: false, ...served });
	const [there, here] = InMemoryTransport.createLinkedPair();
	await server.protocol.connect(there);
	open.push({ close: () => server.stop() });
	return new Session().connect(here);
}

/** An outline with the nodes of a text, the ids of the marked nodes, and a session with its server. */
export async function serving<const Text extends string>(
	text: Text = "" as Text,
	options?: Parameters<typeof planted>[1],
) {
	const made = await planted(text, options);
	return { ...made, session: await serve({ outline: made.outline }) };
}

export const short = (id: string) => id.slice(-12);
export const gone = unusedId;
