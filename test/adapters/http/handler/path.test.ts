import fc from "fast-check";
import { expect, test } from "vitest";
import { routes } from "../../../../adapters/http/endpoints/routes.js";
import { decodedId, matchRoute } from "../../../../adapters/http/handler/path.js";
import { problem, service } from "../service.js";

test("segments are split before they are decoded", async () => {
	const { ann, outline } = service();
	const id = await ann.create({ name: "a" });
	await outline.setShortcut("a/b c", id);
	expect((await ann.node("a%2Fb%20c")).id).toBe(id);
	expect((await ann.ask("POST", "/api/v1/nodes/a%2fb%20c/complete")).status).toBe(200);
	expect((await ann.ask("GET", `/api/v1/%6Eodes/${id}`)).status).toBe(200);
	expect(await ann.ask("GET", `/api/v1%2Fnodes/${id}`)).toMatchObject(problem(404, "not_found"));
});

test.each(["%ZZ", "%", "%2", "%E0%A4%A", "%FF", "%C0%AF", "%ED%A0%80"])(
	"the node %s is 400: its percent-encoding is broken",
	async (id) => {
		const { ann } = service();
		for (const path of [`/api/v1/nodes/${id}`, `/api/v1/nodes/${id}/`]) {
			const refused = await ann.ask("GET", path);
			expect(refused).toMatchObject(problem(400, "invalid_reference"));
			expect(refused.body.detail).toContain(JSON.stringify(id));
		}
		expect(await ann.ask("DELETE", `/api/v1/nodes/${id}/mirror`)).toMatchObject(problem(400, "invalid_reference"));
		expect(await ann.ask("GET", `/api/v1/${id}`)).toMatchObject(problem(404, "not_found"));
	},
);

test.each([
	["a NUL", "%00", 404, "not_found"],
	["a slash", "%2F", 404, "not_found"],
	["a way up", "..%2F..%2Fetc", 404, "not_found"],
	["a line break", "a%0D%0Aset-cookie:%20b", 404, "not_found"],
	["an object's member", "__proto__", 404, "not_found"],
	["None", "None", 400, "unsupported_reference"],
	["an address", "https:%2F%2Fnotes.example%2F%23%2F0123456789ab", 400, "unsupported_reference"],
	["a date that doesn't exist", "2026-02-30", 400, "invalid_reference"],
] as const)("%s as node is %s: %i", async (_, id, status, code) => {
	const { ann } = service();
	expect(await ann.ask("GET", `/api/v1/nodes/${id}`)).toMatchObject(problem(status, code));
	expect(await ann.ask("POST", `/api/v1/nodes/${id}/complete`)).toMatchObject(problem(status, code));
});

test("an empty segment as node is 400", async () => {
	const { ann } = service();
	for (const path of ["/api/v1/nodes//complete", "/api/v1/nodes//"]) {
		expect(await ann.ask("POST", path, { name: "a" }), path).toMatchObject(problem(400, "invalid_reference"));
	}
	expect(await ann.nodes()).toEqual([]);
});

test("a very long path is refused like any other, with a short detail", async () => {
	const { ann } = service();
	for (const path of [
		`/api/v1/nodes/${"a".repeat(1_000_000)}`,
		`/${"a/".repeat(500_000)}`,
		`/${"%25".repeat(300_000)}`,
	]) {
		const { status, body } = await ann.ask("GET", path);
		expect(status).toBe(404);
		expect((body.detail as string).length).toBeLessThan(300);
	}
	expect((await ann.ask("GET", `/api/v1/nodes/${"%ZZ".repeat(300_000)}`)).status).toBe(400);
});

test("any reference arrives unchanged", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), (reference) => {
			fc.pre(reference !== "." && reference !== "..");
			const { pathname } = new URL(`https://api.example/api/v1/nodes/${encodeURIComponent(reference)}/move`);
			const match = matchRoute(routes, pathname);
			expect(match.route.path).toBe("/api/v1/nodes/:id/move");
			expect(decodedId(match)).toBe(reference);
		}),
	);
});
