/**
 * An outline on a server of `node:http`, without a framework:
 *
 *     npx tsx examples/node-http/main.ts
 *
 * It is in memory, and gone with the process. `createFileStorage(path)` of `outlinekit/file` would keep it.
 */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { createOutlineServer } from "./server.ts";

const apiKey = process.env.OUTLINE_API_KEY || randomBytes(32).toString("base64url");
// Without a history, since nothing here can undo.
const outline = new Outline({ storage: createMemoryStorage(), history: { steps: 0 } });
const server = createOutlineServer(outline, apiKey);

server.listen(Number(process.env.PORT || 3000), "127.0.0.1", () => {
	const { port } = server.address() as AddressInfo;
	console.log(`The outline is at http://127.0.0.1:${port}/api/v1/. Try it:
  curl http://127.0.0.1:${port}/api/v1/targets -H "Authorization: Bearer ${apiKey}"`);
});
