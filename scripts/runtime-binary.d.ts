/** The path of a JavaScript runtime of a major version, which npm brings. Throws if it can't be had. */
export function runtimeBinary(name: "node" | "deno" | "bun", major: number): string;

/** The beginning of a command that runs a program in Bun or Deno, in the version that the tests use. Throws if it can't be had. */
export function runtimeCommand(name: "bun" | "deno"): readonly string[];
