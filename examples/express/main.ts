/**
 * An outline in an app of Express 5:
 *
 *     npx tsx examples/express/main.ts
 *
 * It is in memory, and gone with the process. `createFileStorage(path)` of `outlinekit/file` would keep it.
 */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { createApp } from "./app.ts";

const apiKey = process.env.OUTLINE_API_KEY || randomBytes(32).toString("base64url");
// Without a history, since nothing here can undo.
const outline = new Outline({ storage: createMemoryStorage(), history: { steps: 0 } });
const app = createApp(outline, apiKey);

const server = app.listen(Number(process.env.PORT || 3000), "127.0.0.1", (error) => {
	if (error) throw error;
	const { port } = server.address() as AddressInfo;
	console.log(`The app is at http://127.0.0.1:${port}/, and its outline below it. Try it:
  curl http://127.0.0.1:${port}/outline/api/v1/targets -H "Authorization: Bearer ${apiKey}"`);
});
