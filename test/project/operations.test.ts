import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../adapters/http/openapi/document.js";
import { wireName } from "../../adapters/http/server/fields.js";
import {
	descriptions,
	type OperationDescription,
	type OperationName,
	operationNames,
} from "../../src/operations/description.js";
import { Outline } from "../../src/outline.js";
import { ScopedOutline } from "../../src/scope/scoped-outline.js";
import { pagesBelow, read, sourcesBelow } from "./pages.js";

/** Operations that have no request of their own, only a place in batches. */
const inBatchesOnly = new Set<OperationName>(["ensure", "setShortcut", "deleteShortcut"]);

describe.each(operationNames)("the operation %s", (name) => {
	test("is a method of outlines and of scopes", () => {
		expect(Outline.prototype[name]).toBeTypeOf("function");
		expect(ScopedOutline.prototype[name]).toBeTypeOf("function");
	});

	test("can be part of a batch over HTTP, with all of its fields", () => {
		const { BatchOperation } = JSON.parse(JSON.stringify(openApiDocument)).components.schemas as {
			BatchOperation: { oneOf: { properties: { [field: string]: { const?: string } } }[] };
		};
		const schema = BatchOperation.oneOf.find(({ properties }) => properties.type?.const === name);
		const wireNames = descriptions[name].fields.map(wireName);
		expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(wireNames));
		expect("as" in schema!.properties).toBe(descriptions[name].creates);
	});

	test.skipIf(inBatchesOnly.has(name))("has a request of its own, with a body if it needs fields", () => {
		const requests = Object.values(openApiDocument.paths).flatMap((path) => Object.values(path));
		const own = requests.filter(({ operationId }) => operationId === name || operationId === `${name}Node`);
		expect(own.length, `requests with the operationId ${name} or ${name}Node: see node-paths.ts`).toBe(1);
		const { required = [] }: OperationDescription = descriptions[name];
		const advice = "Whether the request needs a body: its row in description.ts requires fields, or none";
		expect(own[0]!.requestBody?.required ?? false, advice).toBe(required.length > 0);
	});

	test.skipIf(inBatchesOnly.has(name))("has a test that asks its path", () => {
		const [path = ""] =
			Object.entries(openApiDocument.paths).find(([, methods]) =>
				Object.values(methods).some(({ operationId }) => operationId === name || operationId === `${name}Node`),
			) ?? [];
		const asked = new RegExp(`["\`]${path.replace("{id}", "\\$\\{[^}]*\\}")}["\`?]`);
		const tests = sourcesBelow("test/adapters/http").filter((file) => file.endsWith(".test.ts"));
		expect(
			tests.filter((file) => asked.test(read(file))),
			`tests in test/adapters/http that ask ${path}`,
		).not.toEqual([]);
	});

	test("has its costs, its place on the page of the interface, a guide, and tests", () => {
		const names = (file: string) => read(file).includes(`\`${name}\``);
		const calls = (file: string) => read(file).includes(`.${name}(`);
		const others = pagesBelow("docs").filter((page) => page !== "docs/interface.md" && page !== "docs/costs.md");
		// The random test of batches has every operation.
		const examples = sourcesBelow("test/src/operations").filter((file) => !file.endsWith(".property.test.ts"));
		const places = {
			"docs/interface.md": names("docs/interface.md"),
			"docs/costs.md": name === "createTree" || names("docs/costs.md"),
			"a guide": others.some((page) => names(page) || calls(page)),
			"test/src/operations": examples.some(calls),
		};
		expect(Object.entries(places).flatMap(([place, has]) => (has ? [] : `${place} doesn't have ${name}`))).toEqual([]);
	});

	test("is in the random batches, commands and edits", () => {
		const command = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
		const uses = { "test/model/batches.ts": `"${name}"`, "test/sync/edits.ts": `outline.${name}(` };
		// Trees are created in batches only.
		const commands = name === "createTree" ? {} : { "test/model/commands.ts": `"${command}"` };
		const missing = Object.entries({ ...uses, ...commands }).filter(([path, use]) => !read(path).includes(use));
		expect(missing.map(([path, use]) => `${path} doesn't have ${use}`)).toEqual([]);
	});
});

test("the page of the interface lists the requests that take an idempotency key", () => {
	const taking = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
		Object.values(methods).some(({ parameters = [] }) => parameters.some(({ name }) => name === "Idempotency-Key"))
			? [path.replace("/api/v1", "").replace("{id}", ":id")]
			: [],
	);
	const [, listed] = /\*\*Idempotency\*\*: (.*?) take a header/s.exec(read("docs/interface.md"))!;
	expect([...listed!.matchAll(/\/[^`]*/g)].map(([path]) => path).toSorted()).toEqual(taking.toSorted());
});
