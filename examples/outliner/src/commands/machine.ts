/** Whether this is a Mac, or a device with the keyboard of one. */
export const isMac = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** Returns second keys of commands; none on a Mac, where Alt with an arrow moves the caret by a word. */
export function withAlt(...keys: readonly string[]): readonly string[] {
	return isMac ? [] : keys;
}
