/**
 * Changes the addresses of the repository and of the site in `package.json`, and in every file that names them:
 *
 *     npm run addresses -- https://github.com/you/outlinekit https://you.example/
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const [repository, site] = process.argv.slice(2);
if (!URL.canParse(repository) || !URL.canParse(site) || repository.endsWith("/") || !site.endsWith("/")) {
	throw new Error("Give the address of the repository without a slash at its end, and that of the site with one.");
}
const { repository: old, homepage } = JSON.parse(readFileSync("package.json", "utf8"));
const changes = [
	[old.url.replace(/^git\+|\.git$/g, ""), repository],
	[homepage, site],
];
for (const file of execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n")) {
	if (!/\.(md|json|js|ts|tsx|html|yml)$/.test(file)) continue;
	const text = readFileSync(resolve(file), "utf8");
	const changed = changes.reduce((text, [from, to]) => text.replaceAll(from, to), text);
	if (changed !== text) writeFileSync(file, changed);
}
