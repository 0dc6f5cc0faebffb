import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";

const outline = new Outline({ storage: createMemoryStorage(), timeZone: "Europe/Berlin" });

// Create: the name is Markdown. Its first block becomes the node, and the other blocks its children.
const trip = await outline.create({ name: "# Trip to **Oslo**\n\n- [ ] book the ferry\n- [ ] pack" });
console.log(trip.name, trip.layoutMode); // Trip to <b>Oslo</b> h1

// List: the children, sorted.
const { nodes } = await outline.list(trip.id);
console.log(nodes.map((node) => node.name)); // [ 'book the ferry', 'pack' ]

// References: ids, short ids, shortcuts, the inbox, and dates. Calendar nodes are created on demand.
await outline.create({ parent: "today", name: "Call Ada [2026-12-01 09:30]" });
await outline.setShortcut("trip", trip.id);
await outline.move(nodes[1]!.id, { parent: "tomorrow" });
console.log((await outline.ensure("inbox")).name); // Inbox

// Mirrors: one content, several places.
const plans = await outline.create({ name: "Plans" });
const mirror = await outline.mirror("trip", { parent: plans.id });
await outline.update(mirror.id, { name: "Trip to <i>Bergen</i>" });
console.log((await outline.get(trip.id)).name); // Trip to <i>Bergen</i>

// Completion, also through a mirror.
await outline.complete(mirror.id);
console.log((await outline.get(trip.id)).completed); // true

// Events: the changes of each commit, before and after.
const stop = outline.subscribe(({ changes }) => {
	for (const { before, after } of changes) console.log(before?.name, "->", after?.name);
});
await outline.update(plans.id, { name: "Plans for winter" }); // Plans -> Plans for winter
stop();

// Errors: typed, with a stable code.
await outline.delete(trip.id).catch((error) => console.log(error.code)); // has_mirrors

// Everything, as a stream.
for await (const node of outline.export()) console.log(node.id, node.parentId, node.name);

await outline.close();
