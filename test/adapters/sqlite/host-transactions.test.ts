import { expect, it } from "vitest";
import { Ledger, scanned } from "../../conformance/ledger.js";
import { nodes } from "../../conformance/records.js";
import { turns } from "../../support/turns.js";
import { describeClients } from "./clients.js";
import { storageInParts } from "./in-parts.js";

describeClients("a transaction of the host that is rolled back", (client) => {
	it("in which a scan ends doesn't prevent later scans from making their copies", async () => {
		const database = client.open();
		const ledger = new Ledger(storageInParts(database));
		await ledger.commit({ put: nodes(20) });
		const scan = ledger.storage.scan()[Symbol.asyncIterator]();
		await scan.next();
		database.exec("BEGIN");
		await scan.return!();
		database.exec("ROLLBACK");
		await ledger.checkAll();
	});

	it("that includes a part of a scan leaves the scan without it, and the error isn't about damage", async () => {
		const database = client.open();
		const ledger = new Ledger(storageInParts(database));
		await ledger.commit({ put: nodes(20) });
		const scan = expect(scanned(ledger.storage)).rejects.toMatchObject({ code: "storage_unavailable" });
		await turns(3);
		database.exec("BEGIN");
		await turns(2);
		database.exec("ROLLBACK");
		await scan;
		await ledger.checkAll();
	});
});
