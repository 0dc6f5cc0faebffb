import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../adapters/http/openapi/document.js";
import { descriptions, type OperationName, operationNames } from "../../src/operations/description.js";
import { Outline } from "../../src/outline.js";
import { ScopedOutline } from "../../src/scope/scoped-outline.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

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
		const wireNames = descriptions[name].fields.map((field) => (field === "parent" ? "parent_id" : field));
		expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(wireNames));
		expect("as" in schema!.properties).toBe(descriptions[name].creates);
	});

	test.skipIf(inBatchesOnly.has(name))("has a request of its own", () => {
		const operationIds = Object.values(openApiDocument.paths).flatMap((path) =>
			Object.values(path).map(({ operationId }) => operationId),
		);
		expect(operationIds.filter((id) => id === name || id === `${name}Node`)).toHaveLength(1);
	});

	test("has its costs, and its place on the page of the interface", () => {
		const pages = name === "createTree" ? ["docs/interface.md"] : ["docs/interface.md", "docs/costs.md"];
		for (const page of pages) expect(read(page).includes(`\`${name}\``), `${page} doesn't have ${name}`).toBe(true);
	});

	test("is in the random batches, commands and edits", () => {
		const command = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
		const uses = { "test/model/batches.ts": `"${name}"`, "test/sync/edits.ts": `outline.${name}(` };
		// Trees are created in batches only.
		const commands = name === "createTree" ? {} : { "test/model/commands.ts": `"${command}"` };
		for (const [path, use] of Object.entries({ ...uses, ...commands }))
			expect(read(path).includes(use), `${path} doesn't have ${use}`).toBe(true);
	});
});
