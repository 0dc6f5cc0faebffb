import type { Outline } from "outlinekit";

const at = (selector: string) => document.querySelector(selector)!;

/** Shows a call, its result as soon as there is one, and the calls before. */
export function showCall(code: string, result: Promise<unknown>): void {
	const call = at("#call");
	if (call.textContent.startsWith("await")) {
		const earlier = document.createElement("li");
		earlier.textContent = call.textContent;
		at("#calls").prepend(earlier);
		at("#calls").children[20]?.remove();
	}
	call.textContent = `await ${code}`;
	const show = (text: string) => {
		if (call.textContent === `await ${code}`) at("#result").textContent = text;
	};
	result.then(
		(value) => show(typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "undefined")),
		(error) => show(`${error.name}: ${error.code}\n${error.message}`),
	);
}

const firstRow = () => document.querySelector<HTMLElement>("#list li");

/** The id of the node of a row: the end of its key. */
const idOf = (row: HTMLElement | null) => row?.dataset.key?.split("/").at(-1) ?? "None";

/** The action of a button, on the node of the chosen row. */
type Action = (outline: Outline, id: string) => unknown;

const actions: Record<string, Action> = {
	Complete: (outline, id) => outline.complete(id),
	Reopen: (outline, id) => outline.uncomplete(id),
	"Move to today": (outline, id) => outline.move(id, { parent: "today" }),
	"Mirror below the first line": (outline, id) => outline.mirror(id, { parent: idOf(firstRow()) }),
	Delete: (outline, id) => outline.delete(id),
	Undo: (outline) => outline.undo(),
	Redo: (outline) => outline.redo(),
	"Search for to-dos": (outline) => outline.search("is:todo"),
	"Export as Markdown": (outline) => outline.exportAs("markdown"),
};

/** Adds the buttons. They act on the row that had the focus last, or on the first one. */
export function addActions(outline: Outline): void {
	let chosen: string | undefined;
	document.addEventListener("focusin", ({ target }) => {
		const row = (target as Element).closest<HTMLElement>("#list li");
		if (row !== null) chosen = row.dataset.key;
	});
	for (const [name, act] of Object.entries(actions)) {
		const button = document.createElement("button");
		button.textContent = name;
		button.onclick = async () => {
			const row = document.querySelector<HTMLElement>(`#list li[data-key="${chosen}"]`);
			try {
				await act(outline, idOf(row ?? firstRow()));
			} catch {
				// The panel shows the error.
			}
		};
		at("#actions").append(button);
	}
}
