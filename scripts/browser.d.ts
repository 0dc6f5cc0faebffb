/** The path of a Chromium, Chrome or Edge: the one that `OUTLINE_BROWSER` names, or an installed one, or one installed now. */
export function browserPath(): Promise<string>;

/** What vitest calls before the tests of the browser. */
export function setup(): Promise<void>;
