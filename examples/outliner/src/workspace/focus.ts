import type { CaretPlace } from "../text/caret.js";
import type { TextField } from "./saves.js";

/** The field with the caret. */
export interface Focus {
	/** Of a row, or `titleKey`. */
	readonly key: string;
	readonly field: TextField;
	/** Where the caret is to go; left out, it is there already. */
	readonly caret?: CaretPlace | undefined;
}
