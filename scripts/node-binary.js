import { runtimeBinary } from "./runtime-binary.js";

/** The path of a Node of a major version: our own if it is one, else one that npm brings. */
export function nodeBinary(major) {
	return process.versions.node.split(".")[0] === String(major) ? process.execPath : runtimeBinary("node", major);
}
