import { expect, test } from "vitest";
import { inert } from "../../examples/outliner/src/text/inert.js";

test.each([
	["the style of an element", '<p style="color:red">a</p>', '<p data-foreign-style="color:red">a</p>'],
	[
		"styles in other spellings",
		"<P\n class=x STYLE = 'a:b'>x<b style=c>",
		"<P\n class=x data-foreign-style = 'a:b'>x<b data-foreign-style=c>",
	],
	["an attribute behind one without spaces", '<p class="x"style="a">', '<p class="x"data-foreign-style="a">'],
	[
		"event handlers and documents in attributes",
		'<svg onload=x><i srcdoc="y">',
		'<svg data-foreign=x><i data-foreign="y">',
	],
	["style sheets", "a<style type=x style=y>p > b {}</style >b<STYLE></STYLE>c", "abc"],
])("%s can't reach the browser", (_, html, expected) => {
	expect(inert(html)).toBe(expected);
});

test.each([
	"a < b style=1 > c",
	'<a title="<p style=1>">style="x"</a>',
	"<!-- <p style=1> --> <!-- <style> -->x",
	"<script>'<style>'</script>x",
	"<textarea><style></textarea>",
	"<style>never closed",
	"<data-style styles=1>",
])("leaves %j as it is", (html) => {
	expect(inert(html)).toBe(html);
});

test("a long text of beginnings is read in a moment", () => {
	for (const piece of ["<p ", "<", "<p style=", '<p a="', "<style>", "<!--", "<p style ", "<a b=c "]) {
		const html = piece.repeat(500_000 / piece.length);
		const begun = performance.now();
		inert(html);
		expect(performance.now() - begun).toBeLessThan(2000);
	}
});
