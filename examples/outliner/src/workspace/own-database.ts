import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/**
 * A database of the outliner beside the outline, which all tabs share. Opens it on first use, and again after the
 * browser has closed it, or after another tab wanted to change or delete it.
 */
export class OwnDatabase<Schema extends DBSchema> {
	readonly #name: string;
	readonly #create: (database: IDBPDatabase<Schema>) => void;
	#opened: Promise<IDBPDatabase<Schema>> | undefined;

	/** @param create - creates the stores of a new database */
	constructor(name: string, create: (database: IDBPDatabase<Schema>) => void) {
		this.#name = name;
		this.#create = create;
	}

	open(): Promise<IDBPDatabase<Schema>> {
		this.#opened ??= this.#openAnew();
		return this.#opened;
	}

	#openAnew(): Promise<IDBPDatabase<Schema>> {
		const forget = () => {
			if (this.#opened === opened) this.#opened = undefined;
		};
		const opened = openDB<Schema>(this.#name, 1, {
			upgrade: (database) => this.#create(database),
			terminated: forget,
			blocking(_from, _to, event) {
				(event.target as IDBDatabase).close();
				forget();
			},
		});
		opened.catch(forget);
		return opened;
	}
}
