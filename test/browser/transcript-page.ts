import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { type Transcript, takeTranscript } from "../transcript/transcript.js";

/** Takes an outline in IndexedDB through random operations. */
export function transcript(seed: number, operations: number): Promise<Transcript> {
	// Nothing here is about power cuts, and each of so many commits would wait for the disk.
	const open = () => createIndexedDbStorage(`transcript ${seed}`, { durability: "relaxed" });
	return takeTranscript({ open, durable: true }, seed, operations);
}
