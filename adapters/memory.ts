/**
 * A storage in memory.
 *
 * @module outlinekit/memory
 */
import type { DisposableStorage } from "../src/storage.js";
import { ResidentStorage } from "./resident/resident-storage.js";

/**
 * Creates a storage in memory, for tests, previews and outlines that live only as long as their page or
 * process. It writes nothing to a disk, and acknowledges a commit at once. Several `Outline`s may share one.
 */
export function createMemoryStorage(): DisposableStorage {
	return new ResidentStorage(null);
}
