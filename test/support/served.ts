/** A server of one outline: `outlinekit serve`, in this process or in another one. */
export interface Served<Running> {
	readonly running: Running;
	/** All that it has printed. */
	readonly output: string;
	readonly address: string;
	readonly apiKey: string;
	request(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
}

/** Waits until a server listens. */
export async function served<Running extends { printed(text: RegExp): Promise<RegExpExecArray> }>(
	running: Running,
): Promise<Served<Running>> {
	const { input: output } = await running.printed(/Ctrl-C/);
	const address = /served at (http:\/\/127\.0\.0\.1:\d+)/.exec(output)![1]!;
	const apiKey = /API key: (\S+)/.exec(output)![1]!;
	return {
		running,
		output,
		address,
		apiKey,
		async request(method, path, body) {
			const response = await fetch(`${address}/api/v1${path}`, {
				method,
				headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
				...(body !== undefined && { body: JSON.stringify(body) }),
			});
			return (await response.json()) as Record<string, unknown>;
		},
	};
}
