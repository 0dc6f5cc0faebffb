/**
 * An outline in a worker, the kind that platforms run close to their users. To try it on Node:
 *
 *     npx tsx examples/worker/main.ts
 *
 * A platform needs `worker.ts` instead, in one file. The conditions leave out code for Node or for pages:
 *
 *     npx esbuild examples/worker/worker.ts --bundle --format=esm --conditions=worker,browser --outfile=worker.js
 */
import { randomBytes } from "node:crypto";
import { serve } from "@hono/node-server";
import worker from "./worker.ts";

const apiKey = process.env.OUTLINE_API_KEY || randomBytes(32).toString("base64url");
const fetch = (request: Request) => worker.fetch(request, { OUTLINE_API_KEY: apiKey });

serve({ fetch, hostname: "127.0.0.1", port: Number(process.env.PORT || 3000) }, ({ port }) => {
	console.log(`The outline is at http://127.0.0.1:${port}/api/v1/. Try it:
  curl http://127.0.0.1:${port}/api/v1/targets -H "Authorization: Bearer ${apiKey}"`);
});
