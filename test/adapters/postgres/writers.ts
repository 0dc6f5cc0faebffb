import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a writer is to do: one kind of thing, so many times, in one outline. */
export interface Assignment {
	readonly work: "create" | "today" | "move" | "all";
	readonly outline: string;
	readonly count: number;
	/** Settings of its connections, as for a server on its command line. */
	readonly options?: string;
}

/** What came of it. */
export interface Outcome {
	/** The names of the nodes that were made and are to be there. */
	readonly made: readonly string[];
	/** What was refused, with the reason. */
	readonly refused: readonly string[];
	/** How many commits each took, with those that met a conflict. */
	readonly attempts: readonly number[];
	readonly milliseconds: number;
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

	/** Has each writer do what it is given, by its number. */
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
