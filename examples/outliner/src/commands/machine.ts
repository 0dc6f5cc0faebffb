/** Whether this is a Mac, or a device with the keyboard of one. */
export const isMac = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** Keys with Alt that mean the same as others; none on a Mac, where Alt and the arrows move the caret by words. */
export function withAlt(...keys: readonly string[]): readonly string[] {
	return isMac ? [] : keys;
}
