/** An order of the page. */
export interface Order {
	readonly on: "IndexedDB" | "OPFS";
	readonly task: "fill" | "read";
	readonly nodes: number;
	/** The WebAssembly module of SQLite. */
	readonly wasm: Uint8Array;
}

/** In milliseconds, except where the name says microseconds. */
export type Figures = Record<string, number>;

/** Carries out an order in a worker of its own, whose code is a text. */
export async function inWorker(code: string, wasm: string, order: Omit<Order, "wasm">): Promise<Figures> {
	const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
	const bytes = Uint8Array.from(atob(wasm), (character) => character.charCodeAt(0));
	const { figures, error } = await new Promise<{ figures?: Figures; error?: string }>((resolve, reject) => {
		worker.onmessage = ({ data }) => resolve(data);
		worker.onerror = ({ message }) => reject(new Error(message));
		worker.postMessage({ ...order, wasm: bytes });
	});
	worker.terminate();
	if (figures === undefined) throw new Error(error);
	return figures;
}
