import type { Random } from "../../conformance/random.js";
import type { Network } from "./network.js";
import type { Words } from "./words.js";

/** A node as the interface returns it. */
interface ClientNode {
	readonly id: string;
	readonly name: string;
	readonly note: string | null;
}

/** A program that writes to the outline of the server by plain HTTP requests. */
export class Client {
	static readonly key = "c";
	readonly #network: Network;
	readonly #words: Words;

	constructor(network: Network, words: Words) {
		this.#network = network;
		this.#words = words;
		network.add(Client.key);
	}

	/** Changes a random node. Returns a description of the change. */
	async act(random: Random): Promise<string> {
		const { nodes } = (await this.#request("GET", "/tree")) as { nodes: ClientNode[] };
		const node = nodes.length === 0 ? undefined : random.pick(nodes);
		const chance = nodes.length > 50 ? 99 : random.below(100);
		if (node === undefined || chance < 50) {
			const name = `${this.#words.next(Client.key)} ${this.#words.next(Client.key)}`;
			const parent = node === undefined || random.happens(0.5) ? "None" : node.id;
			await this.#request("POST", "/nodes", { parent_id: parent, name, position: random.pick(["top", "bottom"]) });
			this.#words.changed(Client.key, [[null, name]]);
			return `creates ${name}`;
		}
		if (chance < 70) {
			const name = `${node.name} ${this.#words.next(Client.key)}`;
			await this.#request("POST", `/nodes/${node.id}`, { name, format: "html", base: { name: node.name } });
			this.#words.changed(Client.key, [[node.name, name]]);
			return `writes ${name}`;
		}
		if (chance < 80) {
			const parent = random.pick([...nodes.map(({ id }) => id), "None"]);
			await this.#request("POST", `/nodes/${node.id}/move`, { parent_id: parent, position: "top" });
			return `moves ${node.name}`;
		}
		if (chance < 90) {
			await this.#request("POST", `/nodes/${node.id}/complete`);
			return `completes ${node.name}`;
		}
		const { nodes: below } = (await this.#request("GET", `/tree?root=${node.id}`)) as { nodes: ClientNode[] };
		await this.#request("DELETE", `/nodes/${node.id}`);
		this.#words.changed(
			Client.key,
			[node, ...below].map(({ name, note }) => [`${name}\n${note}`, null]),
		);
		return `deletes ${node.name}`;
	}

	/** @throws the answer, if it is an error */
	async #request(method: string, path: string, body?: object): Promise<unknown> {
		const response = await fetch(`${this.#network.address}/api/v1${path}`, {
			method,
			headers: { authorization: `Bearer ${Client.key}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const answer = await response.json();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
		return answer;
	}
}
