import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "./project.js";

/*
 * V8 compiles a function in the midst of a long loop, and keeps that code. A later call with a short loop enters it,
 * and leaves it slowly at the first thing behind the loop that V8 hadn't seen by then. It does so in each call.
 */

/** Storages, as the program makes them. */
const storages = {
	memory: "createMemoryStorage()",
	"a replica": "createReplica({ local: createMemoryStorage(), remote: { push() {} }, auto: false }).storage",
};

/** Creates 50,000 nodes in one commit, and then changes the outline in many small ones. */
const program = (storage: string) => `
import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { createReplica } from "outlinekit/sync";
const outline = new Outline({ storage: ${storage} });
const children = Array.from({ length: 10 }, (_, number) => ({ name: "child " + number }));
await outline.createTree({ name: "top", children: Array.from({ length: 5000 }, () => ({ name: "parent", children })) });
const { nodes: [{ id: top }] } = await outline.list(null);
for (let number = 0; number < 100; number++) {
	const { id } = await outline.create({ parent: top, name: "node " + number });
	await outline.update(id, { name: "other " + number });
	await outline.complete(id);
	const { id: mirrorId } = await outline.mirror(id, { parent: top });
	await outline.delete(mirrorId);
}
`;

test.each(Object.entries(storages))("after a large commit, small ones keep compiled code: %s", (_, storage) => {
	const path = join(project, "after-bulk.mjs");
	writeFileSync(path, program(storage));
	const options = { encoding: "utf8", maxBuffer: 2 ** 28 } as const;
	const { status, stdout, stderr } = spawnSync(process.execPath, ["--trace-deopt", path], options);
	expect(status, stderr).toBe(0);
	const times = new Map<string, number>();
	for (const [, name, code] of stdout.matchAll(/^\[bailout .*?<JSFunction ([^(]*)\(.*?(opt id \d+)/gm)) {
		const key = `${name}${code}`;
		times.set(key, (times.get(key) ?? 0) + 1);
	}
	expect(times.size).toBeGreaterThan(0);
	expect([...times].filter(([, count]) => count > 50)).toEqual([]);
});
