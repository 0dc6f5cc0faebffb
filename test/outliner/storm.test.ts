import { expect, test } from "vitest";
import { StaticFiles } from "../../adapters/cli/serve/static-files.js";
import { Random } from "../conformance/random.js";
import { seed, soak } from "../setup/soak.js";
import { temporaryFolder } from "../support/temporary.js";
import { App } from "./app.js";
import { watchedBuild } from "./storm/build.js";
import { Storm } from "./storm/storm.js";

const app = new App();
app.losesRequests = true;
const watched = watchedBuild();

const rounds = Number(process.env.OUTLINE_STEPS ?? (soak > 2 ? 100 : 20));
const storms = soak > 2 ? 2 * soak : 1;

for (let index = 0; index < storms; index++) {
	test(`two browsers and a program agree after ${rounds} rounds of a storm, from seed ${seed + index}`, {
		timeout: 300_000,
	}, async () => {
		const random = new Random(seed + index);
		const storm = await Storm.begin(app, await StaticFiles.read(watched), temporaryFolder(), random);
		try {
			await storm.rage(rounds);
			await storm.end();
		} finally {
			await storm.close();
		}
		expect([...storm.faults, ...app.takeErrors()], storm.log.join("\n")).toEqual([]);
	});
}
