/**
 * The HTTP interface: a handler of `Request`s, to be mounted in any server that speaks them.
 *
 * @module outlinekit/http
 */
export { bodyFromNode, type NodeMessage } from "./body-reader.js";
export type { CorsOptions } from "./cors.js";
export { createHttpHandler } from "./handler.js";
export type { HttpHandlerOptions, ServedOutline } from "./options.js";
export type { HttpErrorCode, Problem, ProblemCode } from "./problem.js";
export type { WireMirror, WireNode } from "./wire.js";
