import { expect, test } from "vitest";
import { decodeReferences } from "../../../../src/markup/html/character-reference.js";

test.each([
	["&amp;&lt;&gt;&quot;", '&<>"'],
	["&copy; &ngE;", "© ≧̸"],
	["&#65;&#x41;&#X41;", "AAA"],
	["&#128512;", "\u{1f600}"],
	["&#xD800;&#xDFFF;", "\ufffd\ufffd"],
	["&#x110000;&#9999999;", "\ufffd\ufffd"],
	["&amp;lt;", "&lt;"],
])("%j is decoded as %j", (text, decoded) => {
	expect(decodeReferences(text)).toBe(decoded);
});

test.each(["&", "&amp", "&;", "&#;", "&#x;", "&nope;", "&Amp;", "& amp;", "&#12345678;", "&#x1234567;", "&#6A;"])(
	"%j stays text",
	(text) => {
		expect(decodeReferences(text)).toBe(text);
	},
);
