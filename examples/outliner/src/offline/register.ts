import { tellWhenQuiet } from "../trust/quiet.js";
import type { Workspace } from "../workspace/workspace.js";

/**
 * Stores the outliner itself in the browser, so that it opens without a network. A new version waits until
 * the user accepts it: nothing changes while the user writes.
 */
export async function keepOffline(workspace: Workspace): Promise<void> {
	if (!("serviceWorker" in navigator)) return;
	const { serviceWorker } = navigator;
	/** Whether the page was loaded by a worker: the first one that comes is no new version. */
	let wasServed = serviceWorker.controller !== null;
	let asked = false;
	try {
		const registration = await serviceWorker.register("./service-worker.js", { updateViaCache: "none" });
		const offer = () => {
			if (!wasServed) return;
			const reload = async () => {
				await workspace.saves.settled();
				asked = true;
				if (registration.waiting === null) location.reload();
				else registration.waiting.postMessage("activate");
			};
			tellWhenQuiet(workspace.message, {
				text: "A new version is ready.",
				isError: false,
				action: { label: "Reload", run: () => void reload().catch((error) => workspace.tell(error)) },
			});
		};
		serviceWorker.addEventListener("controllerchange", () => {
			if (asked) location.reload();
			// Another tab has gone over to the new version; here the old one is still running.
			else offer();
			wasServed = true;
		});
		registration.addEventListener("updatefound", () => {
			const { installing } = registration;
			installing?.addEventListener("statechange", () => {
				if (installing.state === "installed") offer();
			});
		});
		if (registration.waiting !== null) offer();
		document.addEventListener("visibilitychange", () => {
			// Without a network there is nothing new.
			if (document.visibilityState === "visible") void registration.update().catch(() => {});
		});
	} catch {
		// If the browser's settings forbid it, or Vite's own server runs, which has no worker, the outliner works
		// online.
	}
}

/**
 * Goes over to a new version, if there is one, because this version can't open the outline. Without it, the
 * stored page would come back at each reload. The user can't write here, so this doesn't ask.
 */
export async function replaceVersion(): Promise<void> {
	if (!("serviceWorker" in navigator)) return;
	const { serviceWorker } = navigator;
	const registration = await serviceWorker.getRegistration();
	if (registration === undefined) return;
	serviceWorker.addEventListener("controllerchange", () => location.reload());
	await registration.update();
	const { installing, waiting } = registration;
	waiting?.postMessage("activate");
	installing?.addEventListener("statechange", () => {
		if (installing.state === "installed") installing.postMessage("activate");
	});
}
