import { ResourceUpdatedNotificationSchema, type TextResourceContents } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { gone, serving, short } from "./session.js";

describe("resources", () => {
	test("are the nodes, and the list has the nodes of the targets", async () => {
		const { outline, session, trip } = await serving("Trip #trip\n  boat");
		const { client } = session;
		await outline.setShortcut("my trip/2", trip);
		const { resources } = await client.listResources();
		expect(resources).toMatchObject([{ name: "Trip", uri: "outline://node/my%20trip%2F2", mimeType: "text/markdown" }]);
		for (const uri of [resources[0]!.uri, `outline://node/${trip}`, `outline://node/${short(trip)}`]) {
			const { contents } = await client.readResource({ uri });
			expect((contents[0] as TextResourceContents).text).toMatch(/^- \[\w+\] Trip\n {2}- \[\w+\] boat$/);
		}
		expect(await client.listResourceTemplates()).toMatchObject({
			resourceTemplates: [{ uriTemplate: "outline://node/{reference}", mimeType: "text/markdown" }],
		});
	});

	test("that aren't there are refused with the protocol's code for it", async () => {
		const { client } = (await serving("")).session;
		for (const [reference, message] of [
			[gone, /There is no node/],
			["tomorrow", /no node for "tomorrow" yet/],
			["2026-02-30", /2026-02-30/],
			["", /reference/],
			["%ff", /There is no resource outline:\/\/node\/%ff/],
		] as const) {
			const uri = `outline://node/${reference}`;
			const reading = client.readResource({ uri });
			await expect(reading).rejects.toMatchObject({
				code: -32002,
				data: { uri },
				message: expect.stringMatching(message),
			});
		}
		for (const uri of ["nonsense", "file:///etc/passwd"]) {
			await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002, data: { uri } });
			await expect(client.subscribeResource({ uri })).rejects.toMatchObject({ code: -32002, data: { uri } });
		}
	});

	test("aren't in a list whose changes would be announced", async () => {
		const { client } = (await serving("")).session;
		expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
	});

	test("notify a subscriber of changes, until the subscription ends", async () => {
		const { outline, session, trip, other } = await serving("Trip #trip\n  boat\nother #other");
		const { client } = session;
		const told: string[] = [];
		client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
		const uri = `outline://node/${trip}`;
		const tomorrow = "outline://node/tomorrow";
		await client.subscribeResource({ uri });
		await client.subscribeResource({ uri });
		await client.subscribeResource({ uri: tomorrow });
		await outline.update(other, { name: "another" });
		await outline.create({ parent: trip, name: "tent" });
		await expect.poll(() => told).toEqual([uri]);
		await outline.create({ parent: "tomorrow", name: "x" });
		await expect.poll(() => told).toEqual([uri, tomorrow]);
		await outline.delete(trip);
		await expect.poll(() => told).toEqual([uri, tomorrow, uri]);
		await client.unsubscribeResource({ uri });
		await outline.undo();
		await outline.create({ parent: "tomorrow", name: "y" });
		await expect.poll(() => told).toEqual([uri, tomorrow, uri, tomorrow]);
	});
});
