/**
 * A server for the devices of one person, with the outline in a file:
 *
 *     npx tsx examples/sync/server.ts
 */
import { createServer } from "node:http";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createNodeListener } from "outlinekit/http";

const outline = new Outline({ storage: createFileStorage(process.env.OUTLINE_DATA || "server.outline") });
const listener = createNodeListener({ authenticate: (key) => (key === "secret" ? outline : null) });

createServer(listener).listen(Number(process.env.PORT || 3000), "127.0.0.1", () => console.log("The server runs."));
