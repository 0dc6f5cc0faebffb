/**
 * The HTTP interface: a handler for servers that use the fetch standard, and a listener for node:http.
 *
 * @module outlinekit/http
 */

export type { WireHit, WireMirror, WireNode } from "./endpoints/wire.js";
export type { CorsOptions } from "./server/cors.js";
export { createHttpHandler } from "./server/fetch-handler.js";
export { createNodeListener, type NodeMessage, type NodeResponse } from "./server/node-listener.js";
export type { HttpHandlerOptions, ServedOutline } from "./server/options.js";
export { type HttpErrorCode, type Problem, type ProblemCode, statusOf } from "./server/problem.js";
