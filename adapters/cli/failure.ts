import { OutlineError, type OutlineErrorCode } from "outlinekit";

/** The exit codes of the program, as the help explains them. */
export const exitCodes = {
	done: 0,
	fault: 1,
	usage: 2,
	missing: 3,
	/** After Ctrl+C: 128 and the number of the signal, as shells expect it. */
	interrupted: 130,
} as const;

/** The error of a command: the message says the reason and the next step. */
export class Failure extends Error {
	/** The code behind the message, for scripts and searches. */
	readonly code: string;
	/** The exit code of the program. */
	readonly exitCode: number;

	constructor(code: string, message: string, exitCode: number = exitCodes.fault) {
		super(message);
		this.code = code;
		this.exitCode = exitCode;
	}
}

/** Returns the error of a wrong command line. */
export function usage(message: string): Failure {
	return new Failure("usage", message, exitCodes.usage);
}

const usageCodes: ReadonlySet<OutlineErrorCode> = new Set<OutlineErrorCode>([
	"invalid_argument",
	"invalid_reference",
	"unsupported_reference",
	"reserved_key",
]);

/** Returns any error as the program reports it. */
export function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	if (error instanceof OutlineError) {
		const { code, message } = error;
		if (code === "not_found") return new Failure(code, message, exitCodes.missing);
		return new Failure(code, message, usageCodes.has(code) ? exitCodes.usage : exitCodes.fault);
	}
	const { code, message } = error as NodeJS.ErrnoException;
	return new Failure(typeof code === "string" ? code : "internal", message || String(error));
}
