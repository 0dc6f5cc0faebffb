import { onTestFinished } from "vitest";

/** Catches the errors of promises that no code awaits, until the test ends. */
export function catchUnhandled(): unknown[] {
	const unhandled: unknown[] = [];
	const others = process.listeners("unhandledRejection");
	process.removeAllListeners("unhandledRejection");
	process.on("unhandledRejection", (error) => unhandled.push(error));
	onTestFinished(() => {
		process.removeAllListeners("unhandledRejection");
		for (const other of others) process.on("unhandledRejection", other);
	});
	return unhandled;
}
