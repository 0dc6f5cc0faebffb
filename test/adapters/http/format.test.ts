import { expect, test } from "vitest";
import { service } from "./service.js";

test("the format of a name reaches create and update over HTTP", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "<b>", format: "text" });
	expect((await ann.node(id)).name).toBe("&lt;b&gt;");
	await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "**d**", format: "markdown", layoutMode: null });
	expect((await ann.node(id)).name).toBe("<b>d</b>");
	expect((await ann.node(await ann.create({ name: "# e", format: null }))).data.layoutMode).toBe("h1");
});
