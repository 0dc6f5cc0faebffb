import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";

const outline = new Outline({ storage: createMemoryStorage(), timeZone: "Europe/Berlin" });

// A name is Markdown. Its first block becomes the node, and the other blocks its children.
const trip = await outline.create({ name: "# Trip to **Oslo**\n\n- [ ] book the ferry" });
const pack = await outline.create({ name: "- [ ] pack", parent: trip.id, position: "bottom" });
const { nodes } = await outline.list(trip.id);
console.log(nodes.map(({ name }) => name)); // [ 'book the ferry', 'pack' ]

// The calendar creates its days on demand.
await outline.move(pack.id, { parent: "tomorrow" });

// A mirror shows one node in a second place.
const plans = await outline.create({ name: "Plans" });
const mirror = await outline.mirror(trip.id, { parent: plans.id });
await outline.complete(mirror.id);
console.log((await outline.get(trip.id)).completed); // true

// Undo takes back the last operation. A search sees every change at once.
await outline.undo();
console.log((await outline.search("ferry is:todo")).length); // 1

// Each error has a code. Codes don't change; messages may.
await outline.delete(trip.id).catch((error) => console.log(error.code)); // has_mirrors

// Markdown has no dates, so the day of the calendar is a tag: <time datetime="…">.
for await (const markdown of outline.exportAs("markdown")) console.log(markdown);
await outline.close();
