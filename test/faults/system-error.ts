/** Returns an error of the system as Node makes it. */
export function systemError(code: string, call: string, path: string): NodeJS.ErrnoException {
	return Object.assign(new Error(`${code}: ${call} '${path}'`), { code, syscall: call, path });
}
