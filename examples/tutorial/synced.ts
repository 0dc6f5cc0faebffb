import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { createHttpRemote, createReplica } from "outlinekit/sync";

const replica = createReplica({
	local: createIndexedDbStorage("notes"),
	remote: createHttpRemote({ url: `${location.origin}/api/v1`, apiKey: "secret" }),
});
export const outline = new Outline({ storage: replica.storage, history: { groupWithin: 1000, keep: true } });

const status = document.querySelector("#status")!;
replica.status.subscribe(({ phase, pending }) => {
	status.textContent = `${phase}, ${pending} to send`;
});
