import type { Cell } from "../workspace/cell.js";
import type { Message } from "../workspace/workspace.js";

/** Tells something that can wait: when nothing else is being told. Does `onClosed` when the person has closed it. */
export function tellWhenQuiet(cell: Cell<Message | null>, message: Message, onClosed: () => void = () => {}): void {
	const next = () => {
		if (cell.current !== null) return;
		stop();
		cell.set(message);
		const end = cell.subscribe(() => {
			end();
			if (cell.current === null) onClosed();
		});
	};
	const stop = cell.subscribe(next);
	next();
}
