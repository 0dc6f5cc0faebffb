import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The work of a writer: one kind of operation, a number of times, in one outline. */
export interface Assignment {
	readonly work: "create" | "all";
	readonly outline: string;
	readonly count: number;
	/** Settings of its connections, as for a server on its command line. */
	readonly options?: string;
}

/** The outcome of an assignment. */
export interface Outcome {
	/** The names of the nodes that were created and must exist. */
	readonly made: readonly string[];
	/** The reasons of refusals. */
	readonly refused: readonly string[];
	/** The number of attempts of each commit, with or without a conflict. */
	readonly attempts: readonly number[];
}

/** Processes that write into outlines of a database, all at the same time. */
export class Writers {
	readonly #children: readonly ChildProcess[];

	private constructor(children: readonly ChildProcess[]) {
		this.#children = children;
	}

	static async start(address: string, count: number): Promise<Writers> {
		const program = fileURLToPath(new URL("writer-program.ts", import.meta.url));
		const children = Array.from({ length: count }, (_, number) =>
			fork(program, [address, String(number)], { execArgv: ["--import", "tsx"] }),
		);
		await Promise.all(children.map((child) => once(child, "message")));
		return new Writers(children);
	}

	/** Gives each writer its assignment, by its number. */
	async work(assign: (writer: number) => Assignment): Promise<Outcome[]> {
		return Promise.all(
			this.#children.map(async (child, writer) => {
				const answered = once(child, "message");
				child.send(assign(writer));
				return (await answered)[0] as Outcome;
			}),
		);
	}

	async stop(): Promise<void> {
		await Promise.all(
			this.#children.map(async (child) => {
				const ended = once(child, "exit");
				child.disconnect();
				await ended;
			}),
		);
	}
}
