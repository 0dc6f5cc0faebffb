import type { Socket } from "node:net";
import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { misstated, statedTraffic, type Traffic, trafficOf } from "../../support/traffic.js";
import { testServer } from "./database.js";
import { RecordingPool } from "./recording-pool.js";

const server = testServer("traffic");

test("each operation sends and receives as many bytes as the page on scaling says", async () => {
	const inner = server.pool("traffic", { max: 1 });
	let socket: Socket | undefined;
	inner.on("connect", (client) => {
		socket = (client as unknown as { connection: { stream: Socket } }).connection.stream;
	});
	const pool = new RecordingPool(inner);
	const known: Traffic = { statements: 0, sent: 0, received: 0 };
	const take = (): Traffic => {
		const now: Traffic = {
			statements: pool.statements.length,
			sent: socket!.bytesWritten,
			received: socket!.bytesRead,
		};
		const since: Traffic = {
			statements: now.statements - known.statements,
			sent: now.sent - known.sent,
			received: now.received - known.received,
		};
		Object.assign(known, now);
		return since;
	};
	const storageOf = (outline: string) => createPostgresStorage(pool, { outline, notify: false });
	// The first operation makes the connection compile the statements, which it does once.
	await trafficOf(storageOf("a first one"), take);
	const measured = await trafficOf(storageOf("another one"), take);
	expect(misstated(statedTraffic(0), measured), JSON.stringify(measured)).toEqual([]);
});
