import type { FoundReceipt, Receipt, ReceiptChanges } from "../../../src/storage.js";

/** The most expired receipts in an answer. */
const expiredAtOnce = 100;

type Age = Pick<Receipt, "key" | "createdAt">;

/** The receipts of an outline, ordered by age if needed. */
export class ReceiptIndex {
	readonly #receipts = new Map<string, Receipt>();
	/**
	 * The moments of the receipts, the oldest first, with outdated entries among them; null until first needed.
	 */
	#ages: Age[] | null = null;
	/** The number of entries at the beginning that are known to be outdated. */
	#passed = 0;

	/** Returns all present receipts. */
	all(): Receipt[] {
		return [...this.#receipts.values()];
	}

	/** Deletes receipts, and then adds receipts. */
	change({ added, dropped }: ReceiptChanges): void {
		for (const key of dropped) this.#receipts.delete(key);
		for (const receipt of added) {
			this.#receipts.set(receipt.key, receipt);
			this.#note(receipt);
		}
		if (this.#ages !== null && this.#ages.length > 2 * this.#receipts.size + 1000) this.#ages = null;
	}

	/** Returns the changes that undo other changes. Call it before they are made. */
	undo({ added, dropped }: ReceiptChanges): ReceiptChanges {
		const keys = added.map(({ key }) => key);
		const before = [...dropped, ...keys].flatMap((key) => this.#receipts.get(key) ?? []);
		return { added: before, dropped: keys };
	}

	/** Answers a `receipt` query. */
	found(key: string, expiry: number): FoundReceipt {
		const ages = this.#inOrder();
		while (this.#passed < ages.length && this.#isOutdated(ages[this.#passed]!)) this.#passed += 1;
		const expired: string[] = [];
		for (let at = this.#passed; at < ages.length && expired.length < expiredAtOnce; at++) {
			const age = ages[at]!;
			if (age.createdAt >= expiry) break;
			if (!this.#isOutdated(age)) expired.push(age.key);
		}
		return { receipt: this.#receipts.get(key) ?? null, expired };
	}

	#inOrder(): Age[] {
		if (this.#ages === null) {
			this.#ages = Array.from(this.#receipts.values(), ageOf).sort(byAge);
			this.#passed = 0;
		}
		return this.#ages;
	}

	/** Inserts the moment of a new receipt: at the end, unless clocks differ. */
	#note(receipt: Receipt): void {
		const ages = this.#ages;
		if (ages === null) return;
		const age = ageOf(receipt);
		let place = this.#passed;
		for (let end = ages.length; place < end; ) {
			const middle = (place + end) >> 1;
			if (byAge(ages[middle]!, age) < 0) place = middle + 1;
			else end = middle;
		}
		const next = ages[place];
		// The receipt was deleted and comes back.
		if (next !== undefined && byAge(next, age) === 0) return;
		if (place === this.#passed && place > 0) {
			this.#passed -= 1;
			ages[this.#passed] = age;
		} else ages.splice(place, 0, age);
	}

	#isOutdated({ key, createdAt }: Age): boolean {
		return this.#receipts.get(key)?.createdAt !== createdAt;
	}
}

/** Without the result, which is large and would outlive its receipt here. */
function ageOf({ key, createdAt }: Receipt): Age {
	return { key, createdAt };
}

function byAge(left: Age, right: Age): number {
	return left.createdAt - right.createdAt || (left.key < right.key ? -1 : left.key > right.key ? 1 : 0);
}
