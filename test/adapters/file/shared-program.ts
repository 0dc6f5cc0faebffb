import { isMainThread, Worker, workerData } from "node:worker_threads";
import { createFileStorage } from "../../../adapters/file.js";
import { Outline } from "../../../src/outline.js";

/*
 * `<path>`: opens the outline through two storages in the main thread, and lets a worker try the same. Prints
 * the worker's outcome, `opened` or the error's code and message, and then the names of all nodes.
 */
const path = isMainThread ? process.argv[2]! : (workerData as string);

function create(outline: Outline, name: string): Promise<string> {
	return outline.create({ name, position: "bottom" }).then(
		() => "opened",
		(error) => `${error.code} ${error.message}`,
	);
}

const outline = new Outline({ storage: createFileStorage(path) });
if (isMainThread) {
	const other = new Outline({ storage: createFileStorage(path) });
	await create(outline, "one");
	await create(other, "other");
	const worker = new Worker(new URL(import.meta.url), { workerData: path });
	await new Promise((resolve) => worker.once("exit", resolve));
	await outline.close();
	const { nodes } = await other.list();
	process.stdout.write(`${nodes.map(({ name }) => name).join(", ")}\n`);
	await other.close();
} else process.stdout.write(`${await create(outline, "worker")}\n`);
