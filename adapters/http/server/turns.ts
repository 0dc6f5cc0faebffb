import { turn } from "../../../src/pace.js";

/**
 * The number of chunks made in a row, of all streams together, before a pause. If a stream waits neither for the storage nor for
 * its reader, the server would otherwise answer no other request until its end, nor notice that the client has left.
 */
const chunksInARow = 16;

let left = chunksInARow;
const waiting: (() => void)[] = [];

/** Resolves when the next chunk may be made; undefined if that is now. */
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
