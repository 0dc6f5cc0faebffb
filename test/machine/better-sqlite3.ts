import { createRequire } from "node:module";

/** Opens a database of better-sqlite3. The caller names its type, because the package has none. */
type Open = (path: string, options?: object) => unknown;

/** better-sqlite3, or in one line why it isn't there: the reason of the tests that are skipped for it. */
export const betterSqlite3: { readonly open: Open } | { readonly missing: string } = load();

function load(): { readonly open: Open } | { readonly missing: string } {
	try {
		const Database = createRequire(import.meta.url)("better-sqlite3") as new (
			path: string,
			options?: object,
		) => unknown;
		new Database(":memory:");
		return { open: (path, options) => new Database(path, options) };
	} catch (error) {
		const reason = process.env.OUTLINE_WITHOUT_BETTER_SQLITE3 ?? (error as Error).message.split("\n")[0]!;
		return { missing: reason };
	}
}
