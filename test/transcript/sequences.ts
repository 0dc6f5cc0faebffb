import { createMemoryStorage } from "outlinekit/memory";
import { soak } from "../setup/soak.js";
import { type Transcript, takeTranscript } from "./transcript.js";

/** The number of operations in a sequence. */
export const operations = Math.min(1_000 * soak ** 2, 20_000);

/** The seeds of the sequences: one, or a million operations when all takes fifty times as long. */
export const seeds = Array.from({ length: soak }, (_, number) => 20_261_121 + 1_000_000 * number);

/** Returns the transcript of a sequence in memory, which every storage must repeat. */
export function expectedTranscript(seed: number): Promise<Transcript> {
	const storage = createMemoryStorage();
	return takeTranscript({ open: () => storage, durable: false }, seed, operations);
}
