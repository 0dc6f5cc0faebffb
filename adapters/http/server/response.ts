/** Header fields by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** The response to a request. */
export interface Answer {
	readonly status: number;
	/** Made by {@link answerHeaders}. */
	readonly headers: AnswerHeaders;
	readonly body: string | ReadableStream<Uint8Array> | null;
}

/** The headers of an answer, together with the headers of all answers, which it may replace. */
export function answerHeaders(headers: AnswerHeaders): AnswerHeaders {
	return { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers };
}

/** An operation's answer that isn't a JSON value: a text, or a stream that makes it while it is sent. */
export class TextBody {
	readonly body: string | ReadableStream<Uint8Array>;
	readonly contentType: string;
	readonly headers: AnswerHeaders;

	constructor(body: string | ReadableStream<Uint8Array>, contentType: string, headers: AnswerHeaders = {}) {
		this.body = body;
		this.contentType = contentType;
		this.headers = headers;
	}
}
