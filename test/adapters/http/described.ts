import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { afterEach, expect } from "vitest";
import { openApiDocument } from "../../../adapters/http/openapi/document.js";

/** A part of a document. */
type Part = { readonly [member: string]: unknown };

const described = JSON.parse(JSON.stringify(openApiDocument)) as Part & {
	paths: Record<string, Record<string, OperationPart>>;
};

interface OperationPart {
	readonly operationId: string;
	readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Part }[];
	readonly requestBody?: { required: boolean; content: Record<string, { schema: Part }> };
	readonly responses: Record<string, Part>;
	readonly security?: readonly unknown[];
}

/** The operations with streamed answers. The check follows the reading of these. */
const streamed = new Set(["exportNodes", "exportFile", "streamChanges", "syncImage"]);

/** The depth of objects from which the validator would exceed the call stack. */
const deepest = 500;

/** The problems since the last test. */
const findings: string[] = [];

/** Removes and returns the problems, for tests of this check itself. */
export function forgetFindings(): string[] {
	return findings.splice(0);
}

// A test that ignores a broken answer must fail too.
afterEach(() => expect(forgetFindings()).toEqual([]));

/** The JSON bodies of requests, because reading a request's own body would change the test. */
const bodies = new WeakMap<Request, string>();

/** Remembers the body of a request for the check. */
export function rememberBody(request: Request, body: string): Request {
	bodies.set(request, body);
	return request;
}

/** Returns a handler that checks each request and response against the OpenAPI document. */
export function asDescribed(handle: (request: Request) => Promise<Response>): typeof handle {
	return async (request) => {
		const response = await handle(request);
		if (response.status === 204 && request.method === "OPTIONS") return response;
		const { pathname, searchParams } = new URL(request.url);
		const place = `${request.method} ${pathname.slice(0, 100)} ${response.status}`;
		const found = operationAt(pathname, request.method);
		if (found === "no path" || found === "no method") {
			return checkedWhole(response, (body) => {
				assertDescribed(place, { $ref: "#/components/schemas/Problem" }, body);
				const expected = found === "no path" ? [404, "not_found"] : [405, "method_not_allowed"];
				assertEqual(place, [response.status, (body as Part).code], expected);
			});
		}
		if (response.ok) assertAsked(place, found, request, searchParams);
		const answer = at(found.responses[response.status] ?? missing(place, "the status"));
		for (const [name, header] of Object.entries((answer.headers ?? {}) as Record<string, { schema: Part }>)) {
			assertValid(place, header.schema, coerced(header.schema, response.headers.get(name)));
		}
		const type = essence(response.headers.get("content-type"));
		const content = (answer.content as Record<string, { schema: Part }>)[type] ?? missing(place, `the type ${type}`);
		const check = (body: unknown) => assertDescribed(place, content.schema, body);
		if (!response.ok || !streamed.has(found.operationId)) return checkedWhole(response, check);
		return checkedStream(response, type === "text/event-stream" ? (text) => checkEvents(place, text) : check);
	};
}

/** The operation of a path and a method, found by the rules of the handler. */
function operationAt(pathname: string, method: string): OperationPart | "no path" | "no method" {
	const segments = pathname.replace(/\/$/, "").split("/");
	for (const [path, methods] of Object.entries(described.paths)) {
		const parts = path.split("/");
		const fits = parts.every((part, index) => part.startsWith("{") || part === decoded(segments[index]));
		if (!fits || parts.length !== segments.length) continue;
		const name = method.toLowerCase();
		return method === name.toUpperCase() && Object.hasOwn(methods, name) ? methods[name]! : "no method";
	}
	return "no path";
}

function decoded(segment = ""): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** Asserts that the document describes a successful request. */
function assertAsked(place: string, operation: OperationPart, request: Request, query: URLSearchParams): void {
	const parameters = operation.parameters ?? [];
	const inQuery = parameters.filter((parameter) => parameter.in === "query");
	for (const name of query.keys()) {
		if (!inQuery.some((parameter) => parameter.name === name)) missing(place, `the parameter ${name}`);
	}
	for (const { name, in: where, required, schema } of parameters) {
		const given = where === "query" ? query.get(name) : where === "header" ? request.headers.get(name) : null;
		if (given !== null) assertValid(place, schema, coerced(schema, given));
		else if (required && where === "query") missing(place, `a request without ${name}`);
	}
	const body = bodies.get(request);
	if (body === undefined || request.method !== "POST") return;
	const { requestBody } = operation;
	if (requestBody === undefined) missing(place, "a request body");
	if (body === "") assertEqual(place, requestBody.required, false);
	const json = requestBody.content["application/json"];
	if (body === "" || json === undefined) return;
	const value: unknown = JSON.parse(body.replace(/^\uFEFF/, ""));
	if (depthOf(value) <= deepest) assertValid(place, json.schema, value);
}

/** Reads and checks the body of a response. */
async function checkedWhole(response: Response, check: (body: unknown) => void): Promise<Response> {
	// Copied first, because the Response of a server adapter loses its headers when its body is read.
	const { status, headers } = { status: response.status, headers: new Headers(response.headers) };
	const text = await response.text();
	check(JSON.parse(text));
	return new Response(text, { status, headers });
}

/** A response with a check at the end of its body, or at each event. */
function checkedStream(response: Response, check: (body: unknown) => void): Response {
	const { status, headers } = { status: response.status, headers: new Headers(response.headers) };
	const type = essence(headers.get("content-type"));
	const reader = response.body!.getReader();
	const decoder = new TextDecoder();
	let text = "";
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const { done, value } = await reader.read();
				text += decoder.decode(value, { stream: !done });
				if (type === "text/event-stream") {
					check(text);
					text = "";
				} else if (done) check(type === "application/json" ? JSON.parse(text) : text);
				if (done) controller.close();
				else controller.enqueue(value);
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	return new Response(body, { status, headers });
}

/** Asserts that the data of each event is a `Changes`, or that of a part a `ChangedRevision`. */
function checkEvents(place: string, text: unknown): void {
	for (const [, event, data] of (text as string).matchAll(/^event: (.*)\ndata: (.*)$/gm)) {
		const schema = event === "revision" ? "ChangedRevision" : "Changes";
		assertDescribed(place, { $ref: `#/components/schemas/${schema}` }, JSON.parse(data!));
	}
}

const ajv = new Ajv2020({ strict: false });
const validators = new Map<string, ValidateFunction>();
const { schemas } = described.components as { schemas: Record<string, Part> };
const closedSchemas = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)]));
ajv.addSchema({ $id: "asked", components: { schemas } });
ajv.addSchema({ $id: "answered", components: { schemas: closedSchemas } });

/** Asserts that a part of a request is valid. It may have undescribed members. */
function assertValid(place: string, schema: Part, value: unknown): void {
	assertBy("asked", place, schema, value);
}

/** Asserts that a part of an answer is valid, without undescribed members. */
function assertDescribed(place: string, schema: Part, value: unknown): void {
	assertBy("answered", place, closed(schema), value);
}

function assertBy(within: "asked" | "answered", place: string, schema: Part, value: unknown): void {
	const text = JSON.stringify(schema).replaceAll('"#/', `"${within}#/`);
	const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as Part);
	validators.set(text, validate);
	if (!validate(value)) fail(place, describe(validate.errors!));
}

function describe(errors: readonly ErrorObject[]): string {
	return errors
		.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
		.join();
}

/** A schema that allows no undescribed members at any depth. */
function closed(schema: Part): Part {
	return { ...inner(schema), unevaluatedProperties: false };
}

/** Closes the schemas within a schema, but not each part of an `allOf`. */
function inner(schema: Part): Part {
	return Object.fromEntries(
		Object.entries(schema).map(([keyword, value]) => {
			if (keyword === "properties") {
				const members = Object.entries(value as Record<string, Part>);
				return [keyword, Object.fromEntries(members.map(([name, part]) => [name, closed(part)]))];
			}
			if (keyword === "items") return [keyword, closed(value as Part)];
			if (keyword === "allOf") return [keyword, (value as Part[]).map(inner)];
			if (keyword === "oneOf" || keyword === "anyOf") return [keyword, (value as Part[]).map(inner)];
			return [keyword, value];
		}),
	);
}

/** The part of the document that a `$ref` names, or the part itself. */
function at(part: Part): Part {
	if (typeof part.$ref !== "string") return part;
	const names = part.$ref.slice(2).split("/");
	return names.reduce((found, name) => found[name] as Part, described as Part);
}

/** Converts a text to the type of its schema. */
function coerced(schema: Part, text: string | null): unknown {
	const { type } = at(schema);
	if (type === "integer" && text !== null && /^-?\d+$/.test(text)) return Number(text);
	if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
	return text;
}

/** The depth of a JSON value. */
function depthOf(value: unknown): number {
	let depth = 0;
	for (let level = [value]; level.length > 0; depth++) {
		level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
	}
	return depth;
}

function essence(contentType: string | null): string {
	return contentType?.split(";")[0] ?? "none";
}

function assertEqual(place: string, value: unknown, expected: unknown): void {
	if (JSON.stringify(value) !== JSON.stringify(expected)) {
		fail(place, `${JSON.stringify(value)} should be ${JSON.stringify(expected)}`);
	}
}

function missing(place: string, what: string): never {
	return fail(place, `${what} isn't described`);
}

function fail(place: string, what: string): never {
	findings.push(`${place}: ${what}`);
	throw new Error(findings.at(-1));
}
