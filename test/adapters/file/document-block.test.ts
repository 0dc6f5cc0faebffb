import { expect, test } from "vitest";
import { DocumentBlock, isDocumentBlock } from "../../../adapters/file/document-block.js";
import { shortLine } from "../../../adapters/file/line.js";
import { OutlineError } from "../../../src/errors.js";

const damaged = () => new OutlineError("storage_corrupt", "The line is damaged.");

test("counts documents and finds the first and the last key, also if their values look like documents", () => {
	const documents = [
		{ key: 'a "quoted" {"key":"', value: '{"key":"x","value":"y"}' },
		{ key: "b", value: "" },
		{ key: "ü\\", value: '","value":"' },
	];
	const line = shortLine(JSON.stringify({ documents }));
	const block = new DocumentBlock(line, damaged);
	expect(isDocumentBlock(line)).toBe(true);
	expect(block).toMatchObject({ count: 3, first: documents[0]!.key, last: "ü\\" });
	expect(block.documents()).toEqual(documents);
});

test.each([
	["a document with its members in another order", '{"documents":[{"key":"a","value":"1"},{"value":"2","key":"b"}]}'],
	["a value that is no text", '{"documents":[{"key":"a","value":"1"},{"key":"b","value":2}]}'],
	["another list beside the documents", '{"documents":[{"key":"a","value":"1"}],"nodes":[]}'],
	["an end that isn't JSON", '{"documents":[{"key":"a","value":"1"}'],
])("is storage_corrupt with %s", (_, json) => {
	const read = () => new DocumentBlock(shortLine(json), damaged).documents();
	expect(read).toThrow(expect.objectContaining({ code: "storage_corrupt" }));
});
