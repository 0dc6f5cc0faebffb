type Listener = (event: never) => void;

/** The part of an `EventTarget` that the storage uses. */
export class Emitter {
	readonly #listeners = new Map<string, Listener[]>();

	addEventListener(type: string, listener: Listener): void {
		this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
	}

	removeEventListener(type: string, listener: Listener): void {
		this.#listeners.set(
			type,
			(this.#listeners.get(type) ?? []).filter((other) => other !== listener),
		);
	}

	/** Calls the listeners. Returns whether one of them has prevented the default action. */
	emit(type: string, details: object = {}): boolean {
		let prevented = false;
		const event = {
			target: this,
			preventDefault: () => {
				prevented = true;
			},
			...details,
		};
		for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
		return prevented;
	}
}
