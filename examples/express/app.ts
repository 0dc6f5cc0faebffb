import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Express } from "express";
import type { Outline } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";
import { createListener } from "../node-http/listener.ts";

/** An app with routes of its own, and the interface of an outline below `/outline`. */
export function createApp(outline: Outline, apiKey: string): Express {
	const expected = digestOf(apiKey);
	const handler = createHttpHandler({
		authenticate: (offered) => (timingSafeEqual(digestOf(offered), expected) ? outline : null),
		onError: (error, request) => console.error(`${request.method} ${new URL(request.url).pathname} failed:`, error),
	});
	const app = express();
	// Before every body parser: the handler reads bodies itself, piece by piece, and finds nothing where a parser has been.
	// `use` strips the prefix: the handler sees `/api/v1/…`.
	app.use("/outline", createListener(handler));
	app.use(express.json());
	app.post("/notes", async (request, response) => {
		const node = await outline.create({ parent: "inbox", name: String(request.body?.text), format: "text" });
		response.status(201).json({ id: node.id });
	});
	return app;
}

/** Digests are of one length, which is what a comparison in constant time needs. */
function digestOf(apiKey: string): Buffer {
	return createHash("sha256").update(apiKey).digest();
}
