import { liveRows, type Row } from "outlinekit/live";
import { toText } from "outlinekit/markup";
import { outline } from "./local.js";

const list = document.querySelector("ul")!;
const lines = new Map<string, HTMLLIElement>();
const rows = liveRows(outline);
let saves = 0; // the number of saves under way

await rows.ready;
rows.subscribe(draw);
draw();

document.querySelector<HTMLButtonElement>("#new")!.onclick = async () => {
	const node = await outline.create({ name: "", position: "bottom" });
	focus(node.id);
};

// A write that fails stores nothing, and its promise rejects.
addEventListener("unhandledrejection", ({ reason }) => alert(`Not stored: ${reason.message}`));

/** Shows the rows. Keeps the elements of rows that are still there, so the cursor stays where it is. */
function draw() {
	const shown = rows.current.rows;
	const keys = shown.map(({ key }) => key);
	for (const key of lines.keys()) if (!keys.includes(key)) lines.delete(key);
	const wanted = shown.map(lineOf);
	const isInPlace =
		wanted.length === list.children.length && wanted.every((line, index) => line === list.children[index]);
	const focused = document.activeElement as HTMLElement | null;
	if (!isInPlace) list.replaceChildren(...wanted);
	focused?.focus();
	rows.look(shown.filter(({ hasChildren }) => hasChildren === undefined));
}

/** The element of a row, with the content that the row has now. */
function lineOf(row: Row): HTMLLIElement {
	const line = lines.get(row.key) ?? newLine(row.key);
	const [fold, box, text] = line.children as unknown as [HTMLButtonElement, HTMLInputElement, HTMLInputElement];
	line.style.setProperty("--depth", String(row.depth));
	line.classList.toggle("completed", row.node.completed);
	fold.textContent = row.hasChildren ? (row.expanded ? "▾" : "▸") : "•";
	box.checked = row.node.completed;
	// While the outline saves, the text in the field is newer than the stored one.
	if (saves === 0 || document.activeElement !== text) text.value = toText(row.node.name);
	return line;
}

async function save(id: string, text: string) {
	saves += 1;
	try {
		await outline.update(id, { name: text, format: "text" });
	} finally {
		saves -= 1;
		draw(); // another device may have changed the line meanwhile, or nothing was stored
	}
}

function newLine(key: string): HTMLLIElement {
	const line = document.createElement("li");
	line.dataset.key = key;
	line.innerHTML = `<button></button><input type="checkbox"><input type="text">`;
	const [fold, box, text] = line.children as unknown as [HTMLButtonElement, HTMLInputElement, HTMLInputElement];
	const row = () => rows.row(key)!;
	fold.onclick = () => rows.expand([row().node.id], !row().expanded);
	box.onchange = () => outline.update(row().node.id, { completed: box.checked });
	text.oninput = () => save(row().node.id, text.value);
	text.onkeydown = (event) => press(event, row(), text.value);
	lines.set(key, line);
	return line;
}

/** Does what a key does in an outliner. */
async function press(event: KeyboardEvent, row: Row, text: string) {
	const { id } = row.node;
	const shown = rows.current.rows;
	const index = shown.indexOf(row);
	const isDelete = event.key === "Backspace" && text === "";
	if (!isDelete && !["Enter", "Tab", "ArrowUp", "ArrowDown"].includes(event.key)) return;
	event.preventDefault();
	if (event.key === "Enter") {
		const node = await outline.create({ name: "", position: { after: id } });
		focus(node.id);
	} else if (event.key === "Backspace") {
		await outline.delete(id);
		focus(shown[Math.max(index - 1, 0)]!.key);
	} else if (event.key === "Tab" && event.shiftKey) {
		const parent = shown.find(({ key }) => key === row.parentKey);
		if (parent !== undefined) await outline.move(id, { position: { after: parent.node.id } });
	} else if (event.key === "Tab") {
		const above = shown
			.slice(0, index)
			.filter(({ parentKey }) => parentKey === row.parentKey)
			.at(-1);
		if (above === undefined) return;
		await rows.expand([above.node.id]);
		await outline.move(id, { parent: above.node.id, position: "bottom" });
	} else {
		const next = shown[index + (event.key === "ArrowUp" ? -1 : 1)];
		if (next !== undefined) focus(next.key);
	}
}

function focus(key: string) {
	lines.get(key)?.querySelector<HTMLInputElement>("[type=text]")?.focus();
}

// The whole page takes these keys, because after a reload no field has the focus.
document.addEventListener("keydown", async (event) => {
	if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
	event.preventDefault();
	const line = document.activeElement?.closest("li");
	const index = Array.from(list.children).indexOf(line!);
	await (event.shiftKey ? outline.redo() : outline.undo());
	const shown = rows.current.rows;
	const near = shown[Math.max(index - 1, 0)] ?? shown.at(-1);
	if (line?.isConnected === false && near !== undefined) focus(near.key);
});
