import "fake-indexeddb/auto";

/**
 * Makes the instances of a class count as instances of a global class, which the storage's library checks
 * for.
 */
export function standsFor(global: object, standIn: new (...values: never[]) => object): void {
	const isInstance = (global as { [Symbol.hasInstance]: (value: unknown) => boolean })[Symbol.hasInstance];
	Object.defineProperty(global, Symbol.hasInstance, {
		value: (value: unknown) => value instanceof standIn || isInstance.call(global, value),
		configurable: true,
	});
}
