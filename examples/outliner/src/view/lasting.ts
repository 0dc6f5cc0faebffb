import { useLayoutEffect, useState } from "preact/hooks";

/** Whether a condition has held for so many milliseconds. When it ends, this is false at once. */
export function useLasting(holds: boolean, milliseconds: number): boolean {
	const [lasts, setLasts] = useState(false);
	// Each key begins a save. An effect after the frame would ask for another one, and the next key would wait for it.
	useLayoutEffect(() => {
		if (!holds) return;
		const timer = setTimeout(() => setLasts(true), milliseconds);
		return () => {
			clearTimeout(timer);
			setLasts(false);
		};
	}, [holds]);
	return holds && lasts;
}
