import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Express } from "express";
import type { Outline } from "outlinekit";
import { createNodeListener } from "outlinekit/http";

/** An app with routes of its own, and the interface of an outline below `/outline`. */
export function createApp(outline: Outline, apiKey: string): Express {
	const expected = digestOf(apiKey);
	const listener = createNodeListener({
		authenticate: (offered) => (timingSafeEqual(digestOf(offered), expected) ? outline : null),
		onError: (error, { method, url }) => console.error(`${method} ${url?.split("?")[0]} failed:`, error),
	});
	const app = express();
	// Before every body parser: the listener reads bodies itself, in pieces, and a parser would leave nothing
	// to read. `use` strips the prefix: the listener sees `/api/v1/…`.
	app.use("/outline", listener);
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
