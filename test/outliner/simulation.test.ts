import { expect, test } from "vitest";
import { StaticFiles } from "../../adapters/cli/serve/static-files.js";
import { Random } from "../conformance/random.js";
import { seed, soak } from "../setup/soak.js";
import { temporaryFolder } from "../support/temporary.js";
import { App } from "./app.js";
import { watchedBuild } from "./simulation/build.js";
import { Simulation } from "./simulation/simulation.js";

const app = new App();
app.losesRequests = true;
const watched = watchedBuild();

const rounds = Number(process.env.OUTLINE_STEPS ?? (soak > 2 ? 100 : 20));
const simulations = soak > 2 ? 2 * soak : 1;

for (let index = 0; index < simulations; index++) {
	test(`two browsers and a program agree after ${rounds} random rounds, from seed ${seed + index}`, {
		timeout: 300_000,
	}, async () => {
		const random = new Random(seed + index);
		const simulation = await Simulation.begin(app, await StaticFiles.read(watched), temporaryFolder(), random);
		try {
			await simulation.run(rounds);
			await simulation.end();
		} finally {
			await simulation.close();
		}
		expect([...simulation.faults, ...app.takeErrors()], simulation.log.join("\n")).toEqual([]);
	});
}
