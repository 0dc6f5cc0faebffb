import { describe, test } from "vitest";
import { seed, short, soak, thorough } from "../setup/soak.js";
import { type KindName, kinds } from "./kinds.js";
import { simulateAll } from "./simulations.js";

/** Simulations whose seeds once found a fault, of the outline or of the model. */
const pinned = [
	28, 95, 133, 179, 247, 374, 390, 417_011_038, 1_360_807_660, 2_026_113_144, 2_026_201_280, 555_462, 2_026_400_603,
	2_026_403_946, 61_127_951, 62_009_037,
];

// In `npm test`, ten thousand with the pinned simulations.
const steps = short ? 6_500 : 10_000 * soak;
const wanted = Number(process.env.OUTLINE_STEPS ?? steps);

test(
	`devices agree after ${wanted} steps on a bad network, and nothing vanishes unseen, from seed ${seed}`,
	{
		timeout: Math.max(300_000 * soak, 12 * wanted) * (thorough ? 2 : 1),
	},
	() => simulateAll(seed, steps, undefined, pinned),
);

const devices = Object.keys(kinds) as KindName[];
const servers = ["memory", "file", "sqlite"] as const;

/** The steps of each pair of storages. Most take some ten times as long as in memory. */
const stepsOfPair = soak === 1 ? 25 : 250 * soak;

describe("devices agree also", () => {
	for (const server of servers) {
		for (const device of devices) {
			test(
				`with the storage ${device} below a server with the storage ${server}`,
				{
					timeout: Math.max(120_000, 100 * Math.max(wanted, stepsOfPair)) * (thorough ? 2 : 1),
				},
				() => simulateAll(seed, stepsOfPair, { server: kinds[server], device: () => kinds[device] }),
			);
		}
	}
});
