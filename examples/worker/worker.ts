import { createMemoryStorage } from "outlinekit/memory";
import { createWorker } from "./app.ts";

/**
 * The module for a platform. In memory an outline lasts as long as the platform keeps the worker running. To
 * keep it longer, use a storage over the platform's database: see `docs/write-your-own-storage.md`.
 */
export default createWorker(createMemoryStorage);
