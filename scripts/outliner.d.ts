/** Where the outliner is built to. */
export const outlinerDirectory: string;

/** What vitest calls before the tests of the outliner: builds it, unless it is newer than its sources. */
export function setup(): Promise<void>;
