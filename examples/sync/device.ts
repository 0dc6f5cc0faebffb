/**
 * A device with its own copy of the outline, in a file. Start two of them in two terminals. Stop the server, write
 * on both, and start it again:
 *
 *     npx tsx examples/sync/device.ts laptop
 *     npx tsx examples/sync/device.ts phone
 */
import { createInterface } from "node:readline";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createHttpRemote, createReplica } from "outlinekit/sync";

const name = process.argv[2] ?? "laptop";
const url = `http://127.0.0.1:${process.env.PORT || 3000}/api/v1`;
const replica = createReplica({
	local: createFileStorage(`${process.env.OUTLINE_DATA || "."}/${name}.outline`),
	remote: createHttpRemote({ url, apiKey: "secret" }),
});
const outline = new Outline({ storage: replica.storage });

outline.subscribe(({ source, changes }) => {
	for (const { after } of changes) if (after !== undefined) console.log(`${source}: ${after.name}`);
});
replica.status.subscribe(({ phase, pending }) => console.log(`(${phase}, ${pending} to send)`));

console.log(`This is the ${name}. Each line that you write becomes a node; Control-D ends it.`);
for await (const line of createInterface({ input: process.stdin })) await outline.create({ name: line });
await outline.close();
