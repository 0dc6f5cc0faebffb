/** An error as Node makes it of one of the system. */
export function systemError(code: string, call: string, path: string): NodeJS.ErrnoException {
	return Object.assign(new Error(`${code}: ${call} '${path}'`), { code, syscall: call, path });
}
