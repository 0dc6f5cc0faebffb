import { expect, it } from "vitest";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import { Outline } from "../../../src/outline.js";
import { describeClients } from "./clients.js";
import { RecordingDatabase } from "./recording-database.js";

/** Creates so many nodes and deletes them. Returns the revision of the deletion. */
async function leaveTombstones(outline: Outline, count: number): Promise<number> {
	const { id } = await outline.createTree({
		name: "gone",
		children: Array.from({ length: count - 1 }, () => ({ name: "x" })),
	});
	await outline.delete(id);
	const { revision } = await outline.changes({ since: 0 });
	await outline.create({ name: "stays" });
	return revision;
}

describeClients("many tombstones", (client) => {
	it("are dropped some at a time, after the commit of the horizon", async () => {
		const path = client.path();
		const database = new RecordingDatabase(client.open(path));
		const outline = new Outline({ storage: createSqliteStorage(database) });
		const revision = await leaveTombstones(outline, 7000);
		database.calls.length = 0;
		await outline.prune({ before: revision + 1 });
		expect(database.calls.filter(({ sql }) => sql.startsWith("DELETE FROM outlinekit_nodes")).length).toBeGreaterThan(
			3,
		);
		expect(client.open(path).prepare("SELECT name FROM outlinekit_nodes").all()).toEqual([{ name: "stays" }]);
	});

	it("are in no answer if they couldn't be dropped, and the next prune drops them", async () => {
		const path = client.path();
		const database = new RecordingDatabase(client.open(path));
		const storage = createSqliteStorage(database);
		const outline = new Outline({ storage });
		const revision = await leaveTombstones(outline, 10);
		database.onCall = ({ sql }) => {
			if (sql.startsWith("DELETE FROM outlinekit_nodes")) throw new Error("The disk is full.");
		};
		await outline.prune({ before: revision + 1 });
		const [changes] = (await storage.read([{ type: "changes", since: 0, limit: 1000 }])).results;
		expect(changes).toMatchObject({ deleted: [], horizon: revision });
		database.onCall = () => {};
		await outline.prune({ before: revision + 2 });
		expect(client.open(path).prepare("SELECT name FROM outlinekit_nodes").all()).toEqual([{ name: "stays" }]);
		expect((await outline.verify()).problems).toEqual([]);
	});
});
