import { Outline as LibraryOutline, type OutlineOptions } from "../../../src/index.js";
import { operationNames } from "../../../src/operations/description.js";
import { numberedId } from "../../support/ids.js";

export * from "../../../src/index.js";

/** The methods that change the outline or its history. */
const methods = [...operationNames, "batch", "import", "undo", "redo", "clearHistory"] as const;

/** Globals that the recorder adds to the page. */
declare const recorder: { readonly session: number };
declare function keepCall(line: string): Promise<void>;

/**
 * The `Outline` of the outliner while it is recorded. It sends each call that changes something to the
 * recorder, with its time and the ids that it drew. Calls run one after the other, also the calls of two
 * tabs. So the trace has the order of the commits.
 */
export class Outline extends LibraryOutline {
	constructor(options: OutlineOptions) {
		// Outlines of the clipboard are only in memory.
		if (options.history === undefined) {
			super(options);
			return;
		}
		const drawn: string[] = [];
		const tab = numberOfTab();
		const generateId = () => {
			drawn.push(nextId(tab));
			return drawn.at(-1)!;
		};
		// Tabs that keep their steps would undo the steps of each other.
		const history = { ...options.history, keep: false };
		// The port of the server would be another one in each trace.
		super({ ...options, history, appUrl: "http://outliner.example", generateId });
		for (const call of methods) {
			const run = super[call].bind(this) as (...args: unknown[]) => Promise<unknown>;
			const value = (...args: unknown[]) =>
				navigator.locks.request("recorder", async () => {
					const at = Date.now();
					const given = call === "import" ? await importArguments(args) : args;
					drawn.length = 0;
					let error: string | undefined;
					try {
						return await run(...given);
					} catch (reason) {
						error = (reason as { code?: string }).code ?? String(reason);
						throw reason;
					} finally {
						await keepCall(
							JSON.stringify({
								at,
								...(tab > 1 && { tab }),
								call,
								...(given.length > 0 && { args: given }),
								...(drawn.length > 0 && { ids: drawn }),
								...(error !== undefined && { error }),
							}),
						);
					}
				});
			Object.defineProperty(this, call, { value });
		}
		Object.assign(globalThis, { recordedOutline: this });
	}
}

/** Returns the number of this tab in its profile, from 1. It stays when the page loads again. */
function numberOfTab(): number {
	const kept = sessionStorage.getItem("recorder-tab");
	const number = Number(kept ?? Number(localStorage.getItem("recorder-tabs") ?? 0) + 1);
	if (kept === null) localStorage.setItem("recorder-tabs", String(number));
	sessionStorage.setItem("recorder-tab", String(number));
	return number;
}

/** Returns an id that no other session and no other tab draws. */
function nextId(tab: number): string {
	const drawn = Number(sessionStorage.getItem("recorder-ids") ?? 0) + 1;
	sessionStorage.setItem("recorder-ids", String(drawn));
	return numberedId((recorder.session * 16 + tab) * 2 ** 16 + drawn);
}

/** The arguments of an import as JSON can keep them: the whole text, and no functions. */
async function importArguments([source, options]: unknown[]): Promise<unknown[]> {
	const decoder = new TextDecoder();
	let text = "";
	if (typeof source === "string") text = source;
	else {
		for await (const piece of source as AsyncIterable<Uint8Array | string>) {
			text += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
		}
	}
	const { format, parent, position } = options as Record<string, unknown>;
	return [text, { format, parent, position }];
}
