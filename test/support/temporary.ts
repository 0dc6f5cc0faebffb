import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A process that was killed may hold its files a little longer. */
const options = { recursive: true, force: true, maxRetries: 10 };

/** Creates an empty folder. Removes it when the present test and its hooks have ended. */
export function temporaryFolder(): string {
	const folder = newFolder();
	onTestFinished(() => rmSync(folder, options));
	return folder;
}

/** Creates an empty folder for the tests of a file or a group. Removes it after them. */
export function sharedFolder(): string {
	const folder = newFolder();
	afterAll(() => rmSync(folder, options));
	return folder;
}

/** Its path has no symbolic link, so it is also the path that processes report. */
function newFolder(): string {
	return realpathSync(mkdtempSync(join(tmpdir(), "outlinekit-")));
}
