import type { Outline } from "outlinekit";
import { toText } from "outlinekit/markup";
import { useHistory, useRows } from "outlinekit/vue";
import { defineComponent, h, ref } from "vue";

/** An outline to unfold, add to, tick off and undo. */
export const appOf = (outline: Outline) =>
	defineComponent(() => {
		const expanded = ref<string[]>([]);
		const name = ref("");
		const rows = useRows(outline, () => ({ expanded: expanded.value }));
		const { undo, canUndo } = useHistory(outline);

		const toggle = (id: string) => {
			const others = expanded.value.filter((each) => each !== id);
			expanded.value = others.length < expanded.value.length ? others : [...others, id];
		};
		const add = async (event: Event) => {
			event.preventDefault();
			await outline.create({ name: name.value, position: "bottom" });
			name.value = "";
		};

		return () => [
			h("button", { disabled: !canUndo.value, onClick: undo }, "Undo"),
			h(
				"ul",
				rows.value?.rows.map(({ key, node, depth, hasChildren, expanded }) =>
					h("li", { key, style: { marginInlineStart: `${depth * 1.5}rem` } }, [
						h("button", { hidden: !hasChildren, onClick: () => toggle(node.id) }, expanded ? "▾" : "▸"),
						h("input", {
							type: "checkbox",
							checked: node.completed,
							onChange: () => (node.completed ? outline.uncomplete(node.id) : outline.complete(node.id)),
						}),
						toText(node.name),
					]),
				),
			),
			h("form", { onSubmit: add }, [
				h("input", {
					"aria-label": "New",
					value: name.value,
					onInput: (event: InputEvent) => {
						name.value = (event.target as HTMLInputElement).value;
					},
				}),
			]),
		];
	});
