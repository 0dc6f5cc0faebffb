import { readFileSync } from "node:fs";
import { postgresSchema } from "outlinekit/postgres";
import { expect, test } from "vitest";

test("the page on clusters shows the statements that make the tables, to the letter but for their indentation", () => {
	const page = readFileSync(new URL("../../docs/postgresql-clusters.md", import.meta.url), "utf8");
	const blocks = Array.from(page.matchAll(/```sql\n(.*?)```/gs), ([, text]) => text!);
	const plain = (text: string) => text.replace(/\s+/g, " ").trim();
	expect(plain(blocks[0]!)).toBe(
		plain(
			postgresSchema()
				.map((statement) => `${statement};`)
				.join(" "),
		),
	);
	// The statements for distribution name each table.
	const named = (pattern: RegExp) => postgresSchema().flatMap((statement) => pattern.exec(statement)?.[1] ?? []);
	const dropped = new Set(named(/DROP TABLE (\w+)/));
	const tables = named(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/).filter((table) => !dropped.has(table));
	expect(tables.length).toBe(5);
	for (const table of tables) expect(blocks[1]).toContain(`table('${table}'`);
});
