import type { Cell } from "../workspace/cell.js";
import type { Message } from "../workspace/message.js";

/**
 * Shows a message that can wait until no other message shows. Calls `onClosed` when the user has closed it.
 */
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
