/**
 * The HTTP interface: a handler of `Request`s, to be mounted in any server that speaks them, and a listener for node:http.
 *
 * @module outlinekit/http
 */
export type { CorsOptions } from "./cors.js";
export { createHttpHandler } from "./fetch-handler.js";
export { createNodeListener, type NodeMessage, type NodeResponse } from "./node-listener.js";
export type { HttpHandlerOptions, ServedOutline } from "./options.js";
export { type HttpErrorCode, type Problem, type ProblemCode, statusOf } from "./problem.js";
export type { WireMirror, WireNode } from "./wire.js";
