import { turn } from "../../../src/pace.js";

/**
 * The number of chunks that all streams together make before a pause. Without pauses, a stream that waits
 * neither for the storage nor for its reader would block all other requests. The server also wouldn't notice
 * that the client has disconnected.
 */
const chunksInARow = 16;

/** The end of the present turn, if anything waits for it. */
let turnEnd: Promise<void> | undefined;

/**
 * Resolves when the server has read everything that has arrived in this turn of the event loop. Requests that are
 * answered one right after the other take less time: the processor has the code in its caches, and the process of the
 * clients wakes once.
 */
export function endOfTurn(): Promise<void> {
	turnEnd ??= turn().then(() => {
		turnEnd = undefined;
	});
	return turnEnd;
}

let left = chunksInARow;
const waiting: (() => void)[] = [];

/** Resolves when the caller may make the next chunk. Returns undefined if it may do so now. */
export function inTurn(): Promise<void> | undefined {
	if (left > 0 && waiting.length === 0) {
		left -= 1;
		return undefined;
	}
	return new Promise((resolve) => {
		waiting.push(resolve);
		if (waiting.length === 1) void turn().then(release);
	});
}

function release(): void {
	const released = waiting.splice(0, chunksInARow);
	left = chunksInARow - released.length;
	for (const resolve of released) resolve();
	if (waiting.length > 0) void turn().then(release);
}
