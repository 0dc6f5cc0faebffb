/** The code of an error of the package. */
export function codeOf(error: unknown): unknown {
	return (error as { code?: unknown } | null)?.code;
}
