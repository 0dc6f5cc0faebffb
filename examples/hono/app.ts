import { Hono } from "hono";
import { mount } from "hono/mount";
import { timingSafeEqual } from "hono/utils/buffer";
import type { Outline } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";

/** An app with a page, and the interface of an outline below `/outline`. It runs wherever Hono does. */
export function createApp(outline: Outline, apiKey: string): Hono {
	const handler = createHttpHandler({
		authenticate: async (offered) => ((await timingSafeEqual(offered, apiKey)) ? outline : null),
		onError: (error, request) => console.error(`${request.method} ${new URL(request.url).pathname} failed:`, error),
	});
	const app = new Hono();
	app.get("/", async (context) => {
		const { nodes } = await outline.list();
		return context.text(`There are ${nodes.length} nodes at the top of the outline.`);
	});
	app.use("/outline/*", async (context, next) => {
		await next();
		// The unread rest of a refused body would block the connection's next request.
		if (!context.res.ok && context.req.raw.body !== null) context.header("connection", "close");
	});
	// `mount` strips the prefix: the handler sees `/api/v1/…`.
	app.all("/outline/*", mount(handler));
	return app;
}
