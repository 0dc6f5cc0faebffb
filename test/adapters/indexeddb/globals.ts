import "fake-indexeddb/auto";

// The standard aborts a transaction if a request fails after commit(). The factory in memory would let it complete with
// the other requests. Without commit(), the transaction ends in the same turn, and the page aborts it.
IDBTransaction.prototype.commit = () => {};

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
