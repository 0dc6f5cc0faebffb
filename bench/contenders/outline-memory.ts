import { createMemoryStorage } from "outlinekit/memory";
import type { Contender } from "../contender.ts";
import { OutlineContender } from "./outline.ts";

export function open(): Contender {
	return new OutlineContender(createMemoryStorage());
}
