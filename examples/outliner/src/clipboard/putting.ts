/** Texts for the clipboard by their types. */
export type ClipboardTexts = { readonly [type: string]: string | Promise<string> };

/** Puts texts on the clipboard. Browsers allow that for a moment after a key or a press of the user. */
export async function putOnClipboard(texts: ClipboardTexts): Promise<void> {
	if (navigator.clipboard?.write === undefined) {
		const all = Object.entries(texts).map(async ([type, text]) => [type, await text] as const);
		putByEvent(await Promise.all(all));
		return;
	}
	const possible = Object.entries(texts).filter(([type]) => !isOwn(type) || ClipboardItem.supports?.(type));
	const blobs = possible.map(([type, text]) => [
		type,
		Promise.resolve(text).then((data) => new Blob([data], { type })),
	]);
	await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

/** Whether a type is one that not all browsers take. */
function isOwn(type: string): boolean {
	return type.startsWith("web ");
}

/** The way for pages of http in a network, where browsers have no other. */
function putByEvent(texts: readonly (readonly [type: string, text: string])[]): void {
	const put = (event: ClipboardEvent) => {
		event.preventDefault();
		event.stopImmediatePropagation();
		for (const [type, text] of texts) if (!isOwn(type)) event.clipboardData!.setData(type, text);
	};
	addEventListener("copy", put, { capture: true });
	const isPut = document.execCommand("copy");
	removeEventListener("copy", put, { capture: true });
	if (!isPut) throw new Error("This browser lets only pages of https put something on the clipboard.");
}
