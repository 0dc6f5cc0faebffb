import type { BrowserContext } from "playwright-core";
import type { App } from "./app.js";

/** Limits the room of a profile during its session. To be called before the profile stores anything. */
export async function limit(app: App, context: BrowserContext): Promise<(bytes?: number) => Promise<void>> {
	const page = await context.newPage();
	await page.goto(`${app.address}icon.svg`);
	const session = await context.newCDPSession(page);
	return async (quotaSize) => {
		await session.send("Storage.overrideQuotaForOrigin", {
			origin: new URL(app.address).origin,
			...(quotaSize !== undefined && { quotaSize }),
		});
	};
}
