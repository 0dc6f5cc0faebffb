declare global {
	var keyTimes: number[];
	var changeTimes: number[];
}

// These functions run in the page of the outliner, so none uses what is outside of it.

/** Milliseconds from the beginning of loading until a name has been painted. */
export function firstText(): Promise<number> {
	return new Promise((resolve) => {
		const look = () => {
			if (!document.querySelector(".row .name")?.textContent) setTimeout(look, 1);
			else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
		};
		look();
	});
}

/** Notes how long it takes from each key to the end of the frame that shows what it did. */
export function watchKeys(): void {
	globalThis.keyTimes = [];
	addEventListener(
		"keydown",
		({ timeStamp }) => {
			requestAnimationFrame(() => {
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => globalThis.keyTimes.push(performance.now() - timeStamp);
				port2.postMessage(null);
			});
		},
		true,
	);
}

/** Notes how long it takes from each key to the end of the frame after the first change of the rows. */
export function watchChanges(): void {
	globalThis.changeTimes = [];
	let pressed: number | undefined;
	addEventListener(
		"keydown",
		({ timeStamp }) => {
			pressed = timeStamp;
		},
		true,
	);
	new MutationObserver(() => {
		const begun = pressed;
		pressed = undefined;
		if (begun === undefined) return;
		requestAnimationFrame(() => {
			const { port1, port2 } = new MessageChannel();
			port1.onmessage = () => globalThis.changeTimes.push(performance.now() - begun);
			port2.postMessage(null);
		});
	}).observe(document.querySelector(".rows")!, {
		subtree: true,
		childList: true,
		attributes: true,
		characterData: true,
	});
}

/** Scrolls through the list, slowly and fast, and counts the frames in which a row was missing. */
export async function scroll(): Promise<{ blank: number; frames: number }> {
	const page = document.querySelector("main")!;
	const box = page.getBoundingClientRect();
	const frames = 300;
	let blank = 0;
	for (let frame = 0; frame < frames; frame++) {
		page.scrollTop += frame < 100 ? 120 : frame < 200 ? 700 : 4000;
		await new Promise<void>((resolve) => {
			requestAnimationFrame(() => {
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => resolve();
				port2.postMessage(null);
			});
		});
		const missing = [0.1, 0.3, 0.5, 0.7, 0.9].some((part) => {
			// A message at the foot of the page may cover a row.
			const elements = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height * part);
			return !elements.some((element) => element.matches(".row, .add"));
		});
		if (missing) blank += 1;
	}
	return { blank, frames };
}
