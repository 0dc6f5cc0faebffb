/**
 * An outline in an app of Hono, on Node:
 *
 *     npx tsx examples/hono/main.ts
 *
 * It is in memory, and gone with the process. `createFileStorage(path)` of `outlinekit/file` would keep it.
 */
import { randomBytes } from "node:crypto";
import { serve } from "@hono/node-server";
import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { createApp } from "./app.ts";

const apiKey = process.env.OUTLINE_API_KEY || randomBytes(32).toString("base64url");
// Without a history, since nothing here can undo.
const outline = new Outline({ storage: createMemoryStorage(), history: { steps: 0 } });
const app = createApp(outline, apiKey);

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT || 3000) }, ({ port }) => {
	console.log(`The app is at http://127.0.0.1:${port}/, and its outline below it. Try it:
  curl http://127.0.0.1:${port}/outline/api/v1/targets -H "Authorization: Bearer ${apiKey}"`);
});
