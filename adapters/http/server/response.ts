/** Header fields by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** What is sent for a request. */
export interface Answer {
	readonly status: number;
	/** Those of {@link answerHeaders}. */
	readonly headers: AnswerHeaders;
	readonly body: string | ReadableStream<Uint8Array> | null;
}

/** The headers of an answer, with those that all have. */
export function answerHeaders(headers: AnswerHeaders): AnswerHeaders {
	return { ...headers, "cache-control": "no-store", "x-content-type-options": "nosniff" };
}

/** What an operation answers with if it isn't a JSON value: a text, which may be made while it is sent. */
export class TextBody {
	constructor(
		readonly body: string | ReadableStream<Uint8Array>,
		readonly contentType: string,
		readonly headers: AnswerHeaders = {},
	) {}
}
