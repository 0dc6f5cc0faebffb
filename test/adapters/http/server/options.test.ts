import { expect, test } from "vitest";
import { createHttpHandler, type HttpHandlerOptions } from "../../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { Outline } from "../../../../src/index.js";

const authenticate = () => null;

test.each([
	["no options", undefined],
	["null", null],
	["no authenticate", {}],
	["an authenticate of another type", { authenticate: {} }],
	["no exports at all", { authenticate, exportsPerMinute: 0 }],
	["half an export", { authenticate, exportsPerMinute: 0.5 }],
	["a text of exports", { authenticate, exportsPerMinute: "1" }],
	["NaN exports", { authenticate, exportsPerMinute: Number.NaN }],
	["bodies without a byte", { authenticate, maxBodyBytes: 0 }],
	["bodies without a limit", { authenticate, maxBodyBytes: Number.POSITIVE_INFINITY }],
	["files without a byte", { authenticate, maxImportBytes: 0 }],
	["files without a limit", { authenticate, maxImportBytes: Number.POSITIVE_INFINITY }],
	["no time for bodies", { authenticate, bodyTimeout: 0 }],
	["half a millisecond for bodies", { authenticate, bodyTimeout: 0.5 }],
	["more time than timers know", { authenticate, bodyTimeout: 2 ** 31 }],
	["a text of time", { authenticate, bodyTimeout: "1000" }],
	["null as cors", { authenticate, cors: null }],
	["true as cors", { authenticate, cors: true }],
	["cors without origins", { authenticate, cors: {} }],
	["cors with one origin as text", { authenticate, cors: { origins: "*" } }],
	["an origin of another type", { authenticate, cors: { origins: [7] } }],
	["an origin without a scheme", { authenticate, cors: { origins: ["app.example"] } }],
	["an origin with a slash", { authenticate, cors: { origins: ["https://app.example/"] } }],
	["an origin with a path", { authenticate, cors: { origins: ["https://app.example/a"] } }],
	["an origin with a pattern", { authenticate, cors: { origins: ["https://*.app example"] } }],
	["an origin in capitals", { authenticate, cors: { origins: ["https://App.example"] } }],
	["an origin with the default port", { authenticate, cors: { origins: ["https://app.example:443"] } }],
	["a clock that is a time", { authenticate, now: 7 }],
	["an onError of another type", { authenticate, onError: "log" }],
	["a signal of another type", { authenticate, signal: true }],
])("%s is invalid_argument", (_, options) => {
	expect(() => createHttpHandler(options as unknown as HttpHandlerOptions)).toThrow(
		expect.objectContaining({ name: "OutlineError", code: "invalid_argument" }),
	);
});

test.each<Partial<HttpHandlerOptions>>([
	{},
	{ exportsPerMinute: Number.POSITIVE_INFINITY },
	{ exportsPerMinute: 60, maxBodyBytes: 1, now: () => 0, onError: () => {}, signal: AbortSignal.timeout(1) },
	{ maxImportBytes: 1, bodyTimeout: 1 },
	{ maxImportBytes: Number.MAX_SAFE_INTEGER, bodyTimeout: 2 ** 31 - 1 },
	{ cors: false },
	{ cors: { origins: [] } },
	{
		cors: {
			origins: ["*", "https://app.example", "http://localhost:5173", "capacitor://localhost", "https://[::1]:8443"],
		},
	},
])("creates a handler with the valid options %j", (options) => {
	expect(createHttpHandler({ authenticate, ...options })).toBeTypeOf("function");
});

test("a message has the wrong value and the allowed values", () => {
	const origins = ["https://app.example:443"];
	expect(() => createHttpHandler({ authenticate, cors: { origins } })).toThrow(/:443".*"https:\/\/app\.example"/);
});

test("an outline in place of the options is told where it belongs", () => {
	const outline = new Outline({ storage: createMemoryStorage() });
	expect(() => createHttpHandler(outline as unknown as HttpHandlerOptions)).toThrow(
		"{ authenticate: (key) => outline }",
	);
});

test("later changes of the options object have no effect", async () => {
	const origins: string[] = [];
	const handle = createHttpHandler({ authenticate, cors: { origins } });
	origins.push("*");
	const response = await handle(new Request("https://api.example/", { headers: { origin: "https://app.example" } }));
	expect(response.headers.has("access-control-allow-origin")).toBe(false);
});
