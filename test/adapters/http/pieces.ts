/** A body in pieces, which are made as it is read. Counts them, and notes whether its reader has left before the end. */
export function pieces(given: Iterable<string | Uint8Array>, end: () => void = () => {}) {
	const iterator = given[Symbol.iterator]();
	const counted = { read: 0, left: false };
	const stream = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				const { done, value } = iterator.next();
				if (!done) {
					counted.read += 1;
					return controller.enqueue(typeof value === "string" ? new TextEncoder().encode(value) : value);
				}
				end();
				controller.close();
			},
			cancel() {
				counted.left = true;
			},
		},
		{ highWaterMark: 0 },
	);
	return { stream, counted };
}

/** The same piece without end. */
export function* endless(piece: string): Generator<string> {
	for (;;) yield piece;
}
