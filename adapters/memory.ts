/**
 * A storage in memory.
 *
 * @module outlinekit/memory
 */
import type { DisposableStorage } from "../src/storage.js";
import { ResidentStorage } from "./resident/resident-storage.js";

/**
 * A storage in memory, for tests, previews and outlines that live no longer than their page or process. Nothing is written
 * anywhere; a commit is acknowledged at once. Several `Outline`s may share one.
 */
export function createMemoryStorage(): DisposableStorage {
	return new ResidentStorage(null);
}
