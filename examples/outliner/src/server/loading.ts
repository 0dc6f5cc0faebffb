import type { Connection } from "../workspace/connection.js";

/** Shows on a page that the outline of a server is being loaded, and how much of it has arrived. */
export function showLoading(page: HTMLElement, { received }: Connection): void {
	const message = document.createElement("p");
	message.className = "loading";
	message.role = "status";
	const amount = document.createElement("span");
	// A screen reader would read each number.
	amount.ariaHidden = "true";
	message.append("Loading your outline… ", amount);
	received.subscribe(() => {
		amount.textContent = `${(received.current / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
	});
	page.replaceChildren(message);
}
