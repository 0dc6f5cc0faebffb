import { useEffect, useState } from "preact/hooks";

/** Whether a condition has held for so many milliseconds. When it ends, this is false at once. */
export function useLasting(holds: boolean, milliseconds: number): boolean {
	const [lasts, setLasts] = useState(false);
	useEffect(() => {
		if (!holds) return;
		const timer = setTimeout(() => setLasts(true), milliseconds);
		return () => {
			clearTimeout(timer);
			setLasts(false);
		};
	}, [holds]);
	return holds && lasts;
}
