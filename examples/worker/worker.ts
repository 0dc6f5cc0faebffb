import { createMemoryStorage } from "outlinekit/memory";
import { createWorker } from "./app.ts";

/**
 * The module that a platform is given. In memory an outline lasts as long as the platform keeps the worker running: to keep one,
 * give a storage over the platform's database, such as `docs/write-your-own-storage.md` leads to.
 */
export default createWorker(createMemoryStorage);
