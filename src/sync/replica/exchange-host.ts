import type { StorageAdapter } from "../../storage.js";
import type { KeyNames } from "../settle/settlement.js";
import type { ImageTransfer } from "./image.js";
import type { Remote } from "./remote.js";

/** The part of the local storage that an exchange uses. */
export type LocalStorage = Pick<StorageAdapter, "peek" | "read" | "commit">;

/** The side of a replica that an exchange uses. */
export interface ExchangeHost {
	readonly local: LocalStorage;
	readonly remote: Remote;
	/** Objects of earlier exchanges: an image that broke off. */
	readonly kept: { transfer?: ImageTransfer };
	/** Returns the time in Unix seconds. */
	now(): number;
	/** Returns the names that the device's outline gives to an inbox and a calendar; undefined if it has no outline. */
	names(): KeyNames | undefined;
	/** Holds back the commits of the outline until some work ends. */
	hold(work: Promise<unknown>): void;
	/** Called after each rebase. */
	rebased(): Promise<void>;
	/** The last error of the local storage. The server isn't its cause. */
	fault?: unknown;
}

/** Returns a host whose local storage notes its faults. */
export function withFaults(host: ExchangeHost): ExchangeHost {
	const { local } = host;
	const note = (error: unknown) => {
		host.fault = error;
		throw error;
	};
	return {
		...host,
		local: {
			...(local.peek && { peek: (queries) => local.peek!(queries) }),
			read: (queries) => local.read(queries).catch(note),
			commit: (batch) => local.commit(batch).catch(note),
		},
		rebased: () => host.rebased().catch(note),
	};
}
