import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The lines that a command prints. */
function printed(command: string, ...options: string[]): string[] {
	const text = execFileSync(command, options, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
	return text.split("\n").filter((line) => line !== "");
}

const prose = (...options: string[]) => printed(process.execPath, "scripts/prose.js", ...options);

const twentySixWords = `Returns ${"a very ".repeat(12)}long text.`;

const program = `
/** What others have made. */
export const first = "// What is in a text is no comment, whoever wrote it.";

// The caller waits.
// It stands there until the answer is given.
test("hears of a change", () => {
	throw new RangeError("The key is taken by somebody else.");
});

/** ${twentySixWords} \`whoever\` ${"-".repeat(80)} */
`;

const page = `
# A page

Lines are never sent anew. What is left
is deleted.

\`\`\`ts
// whoever reads code
\`\`\`
`;

/** A folder of a program and a page, which is removed after the test. */
function sample(): string {
	const folder = temporaryFolder();
	writeFileSync(join(folder, "page.md"), page);
	writeFileSync(join(folder, "program.ts"), program);
	return folder;
}

describe("the counter of habits", () => {
	test("finds each habit in comments, test names, messages and pages, and nothing in code", () => {
		expect(prose("--list", "--root", sample())).toEqual([
			"page.md:4: what: What is left",
			"page.md:4: passive: is left",
			"page.md:4: anew: anew",
			"program.ts:2: who: others",
			"program.ts:2: what: What others have",
			expect.stringMatching(/^program\.ts:6: passive: is given$/),
			"program.ts:6: stand: stands",
			"program.ts:7: anew: hears of",
			"program.ts:8: who: somebody",
			"program.ts:8: passive: is taken",
			expect.stringMatching(/^program\.ts:11: long: 27 words: /),
			expect.stringMatching(/^program\.ts:11: wide: \d+ columns$/),
		]);
	});

	test("prints the words and the rate of each habit by folder and kind of text", () => {
		const table = prose("--root", sample());
		expect(table[0]).toMatch(/^per 1,000 words +words +who +what +passive +stand +anew +long +wide$/);
		expect(table.map((row) => row.slice(0, 24).trim())).toEqual([
			"per 1,000 words",
			".",
			"doc comments",
			"// comments",
			"test names",
			"error messages",
			"Markdown",
			"total",
		]);
		expect(table[4]).toBe(
			`test names${" ".repeat(21)}4${["0.0", "0.0", "0.0", "0.0", "250.0", "0.0", "0.0"].map((rate) => rate.padStart(8)).join("")}`,
		);
	});

	test("warns of habits in new text", ({ skip }) => {
		const base = newestShared();
		if (base === undefined) return skip("No commit to compare with.");
		const places = prose("--list", "--since", base);
		const shown = places.slice(0, 20).join("\n");
		if (places.length > 0) console.warn(`Of ${places.length} places to say more plainly (npm run prose):\n${shown}`);
	});
});

/** The newest commit that the remote has as well, or the last one but one; undefined without git. */
function newestShared(): string | undefined {
	for (const options of [
		["merge-base", "HEAD", "origin/main"],
		["rev-parse", "--verify", "HEAD~1"],
	]) {
		try {
			return printed("git", ...options)[0];
		} catch {
			// There is no git here, or no such commit.
		}
	}
	return undefined;
}
