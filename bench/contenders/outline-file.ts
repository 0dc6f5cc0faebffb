import { join } from "node:path";
import { createFileStorage } from "outlinekit/file";
import type { Contender } from "../contender.ts";
import { OutlineContender } from "./outline.ts";

/** With `compact`, what is created at once ends up in a snapshot, however little it is. */
export function open(directory: string, variant: string): Contender {
	const options = variant === "compact" ? { compactAfter: 1 } : {};
	return new OutlineContender(createFileStorage(join(directory, "outline.jsonl"), options), variant);
}
