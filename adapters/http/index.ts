/**
 * The HTTP interface: a handler for servers that use the fetch standard, and a listener for node:http.
 *
 * @module outlinekit/http
 */

export { createHttpHandler } from "./handler/fetch-handler.js";
export { createNodeListener, type NodeMessage, type NodeResponse } from "./handler/node-listener.js";
export type { CorsOptions } from "./server/cors.js";
export type { HttpHandlerOptions, ServedOutline } from "./server/options.js";
export { type HttpErrorCode, type Problem, type ProblemCode, statusOf } from "./server/problem.js";
export type { WireHit, WireMirror, WireNode } from "./server/wire.js";
