/** The path of a Node of a major version, brought by npm if it isn't ours. Throws if it can't be had. */
export function nodeBinary(major: number): string;
