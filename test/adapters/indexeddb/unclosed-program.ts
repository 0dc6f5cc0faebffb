import { createIndexedDbStorage } from "../../../adapters/indexeddb.js";
import { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { adding } from "../../support/batches.js";

// Uses a storage without closing it.
const storage = createIndexedDbStorage("unclosed", new FaultyIndexedDb(new IDBFactory()).options);
console.log(await storage.commit(adding(1, 0)));
