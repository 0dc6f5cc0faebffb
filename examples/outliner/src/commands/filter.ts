import type { Workspace } from "../workspace/workspace.js";

/** Opens the line for the query, with the focus in it. If it is open already, a new query replaces the old one. */
export async function openFilter(workspace: Workspace): Promise<void> {
	const input = document.querySelector<HTMLInputElement>(".filter input");
	input?.focus();
	input?.select();
	await workspace.filterBy(workspace.filter.current?.query ?? "");
}
