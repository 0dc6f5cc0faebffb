/** Lets the browser download a file. */
export function download(blob: Blob, fileName: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(blob);
	link.download = fileName;
	link.click();
	// The browser has begun to read it by then.
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
