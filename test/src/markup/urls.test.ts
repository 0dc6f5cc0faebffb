import { expect, test } from "vitest";
import { urlsIn } from "../../../src/markup/urls.js";

test.each([
	["see https://x.org/a?b=c#d now", ["https://x.org/a?b=c#d"]],
	["https://x.org. (http://y.org), “HTTPS://z.org”!", ["https://x.org", "http://y.org", "HTTPS://z.org"]],
	["https://x.org/a_(b) (see https://x.org/c_(d))", ["https://x.org/a_(b)", "https://x.org/c_(d)"]],
	["https://[::1]/x, [https://y.org]", ["https://[::1]/x", "https://y.org"]],
	["www.x.org, awww.x.org and me@www.x.org", ["www.x.org"]],
	["https:// http://. https://[] xhttps://x.org www. <https://x.org>", ["https://x.org"]],
	["https://例え.jp/京都", ["https://例え.jp/京都"]],
])("the web addresses of a text: %s", (text, expected) => {
	const found = urlsIn(text);
	expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
	expect(found.every(({ href }) => URL.canParse(href))).toBe(true);
});

test("an address without a scheme gets one", () => {
	expect(urlsIn("at www.x.org")).toEqual([{ href: "https://www.x.org", start: 3, end: 12 }]);
});

test("long texts take linear time", () => {
	const time = (text: string) => {
		const start = performance.now();
		urlsIn(text);
		return performance.now() - start;
	};
	for (const piece of [
		"https://",
		"https://x.org/((((",
		"www.",
		"https://[",
		"https://[:",
		"))))",
		"https://x.org/)]",
	]) {
		expect(time(piece.repeat(100_000)), piece).toBeLessThan(2000);
	}
});

test("takes a text alone", () => {
	expect(() => urlsIn(5 as never)).toThrow("urlsIn was given 5. It takes a text");
});
