import { expect, test } from "vitest";
import { seed, soak, thorough } from "../setup/soak.js";
import { shrunk } from "./shrink.js";
import { Voyage } from "./voyage.js";

/** The number of steps of all voyages together. */
const steps = Number(process.env.OUTLINE_STEPS ?? 10_000 * soak);
/** The steps of one voyage. */
const length = 250;
/** Voyages whose seeds once found a fault. */
const pinned = [28, 95, 133, 179, 247, 374, 390];

const count = Math.ceil(steps / length);
const seeds = [
	...(process.env.OUTLINE_STEPS === undefined ? pinned : []),
	...Array.from({ length: count }, (_, index) => seed + index),
];

test(`devices agree after ${steps} steps on a bad network, and nothing vanishes unseen, from seed ${seed}`, {
	timeout: Math.max(120_000 * soak, 12 * steps) * (thorough ? 2 : 1),
}, async () => {
	for (const each of seeds) {
		const voyage = new Voyage(each);
		const all = Array.from({ length: Math.min(length, steps) }, (_, step) => step);
		await voyage.sail(all).catch(async (wreck) => {
			throw process.env.OUTLINE_SHRINK === "1" ? await shrunk(wreck, each, all) : wreck;
		});
		expect(voyage.agreements).toBeGreaterThan(0);
	}
});
