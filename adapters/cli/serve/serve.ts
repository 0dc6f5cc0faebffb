import { Outline } from "outlinekit";
import type { Call } from "../call.ts";
import { Failure, usage } from "../failure.ts";
import type { Options } from "../options.ts";
import { openPostgres } from "../place/drivers.ts";
import { isReplica, openingOf, settingsOf } from "../place/open.ts";
import { localPlaceOf, nameOf } from "../place/place.ts";
import { openStorage } from "../place/storage.ts";
import { keyChecker, keyFrom } from "./key.ts";
import { preload } from "./preload.ts";
import { assertPortFree, type RunningServer, type ServerSettings, startServer } from "./server.ts";
import { UserKeys } from "./user-keys.ts";
import { createAuthenticate, type OutlineSettings } from "./user-outlines.ts";

/** The outlines of a server, and the text that explains how to reach them. */
interface Served extends Pick<ServerSettings, "authenticate" | "close"> {
	welcome(server: RunningServer): string;
}

/** Serves until the user stops it. */
export async function serve(call: Call): Promise<void> {
	const { options, signal } = call;
	const network = networkOf(options);
	const place = localPlaceOf(options);
	// Before the outline and its key are created. The server listens later: it must not accept requests yet.
	await assertPortFree(network).catch((error) => explained(error, network));
	await preload();
	const served = await (place.kind === "postgres" ? manyOutlines(call, place.url) : oneOutline(call));
	const server = await startServer({ ...network, ...served }).catch((error) => explained(error, network));
	try {
		if (!options.flag("quiet")) await call.output.write(`${served.welcome(server)}\n\nCtrl-C stops it.\n`);
		await new Promise<void>((resolve) => {
			if (signal.aborted) resolve();
			signal.addEventListener("abort", () => resolve(), { once: true });
		});
	} finally {
		await server.stop();
	}
}

/** Throws the error of a server that can't listen. */
function explained(error: NodeJS.ErrnoException, { host, port }: Pick<ServerSettings, "host" | "port">): never {
	const code = error.code ?? "";
	if (code === "EADDRINUSE") {
		throw new Failure(code, "The port is in use. Stop what uses it, or choose another one: --port 3001");
	}
	if (code === "EACCES") {
		throw new Failure(code, `The system doesn't allow port ${port}. Choose one from 1024: --port 3001`);
	}
	if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code)) {
		throw new Failure(code, `${JSON.stringify(host)} is no address of this machine. For other devices: --host 0.0.0.0`);
	}
	throw error;
}

function networkOf(options: Options): Pick<ServerSettings, "host" | "port" | "tls" | "exportsPerMinute"> {
	const [certificate, key] = [options.text("tls-certificate"), options.text("tls-key")];
	if ((certificate === undefined) !== (key === undefined)) {
		throw usage("TLS needs two files: give both --tls-certificate and --tls-key.");
	}
	const host = options.text("host");
	// Node would listen at all addresses.
	if (host === "") throw options.refusal("host", host, "an address of this machine, such as 127.0.0.1");
	return {
		host,
		port: options.integer("port", 0, 65_535) ?? 3000,
		tls: certificate === undefined || key === undefined ? undefined : { certificate, key },
		exportsPerMinute: exportsOf(options),
	};
}

function exportsOf(options: Options): number | undefined {
	const text = options.text("exports-per-minute");
	if (text === undefined) return undefined;
	if (text === "unlimited") return Number.POSITIVE_INFINITY;
	if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
	throw options.refusal("exports-per-minute", text, "a whole number from 1, or unlimited");
}

function outlineSettingsOf(options: Options): OutlineSettings {
	return {
		...settingsOf(options),
		appUrl: options.text("app-url"),
		names: { inbox: options.text("inbox-name"), calendar: options.text("calendar-name") },
		// Nothing here can undo.
		history: { steps: 0 },
		// An import of as many bytes fits in. A commit is in memory for a while.
		limits: { commit: 16_777_216 },
	};
}

/** Opens the outline of a file or of an SQLite database, for each holder of its key. */
async function oneOutline(call: Call): Promise<Served> {
	const { options } = call;
	const place = localPlaceOf(options);
	if (place.kind === "postgres") throw new Error("A PostgreSQL database has many outlines.");
	const { storage, discardEmpty, end } = await openStorage(place, { ...openingOf(call), creates: true });
	try {
		const outline = new Outline({ ...outlineSettingsOf(options), storage });
		// Shows a problem with the storage before the first request.
		if (await isReplica(storage)) {
			throw new Failure("is_copy", `${place.path} is the copy of another server's outline. Serve the outline there.`);
		}
		const key = await keyFrom(options.text("key"), `${place.path}.key`);
		const isRight = keyChecker(key);
		return {
			authenticate: (offered) => (isRight(offered) ? outline : null),
			close: () => outline.close().finally(end),
			welcome: (server) => welcomeToOne(server, key, nameOf(place)),
		};
	} catch (error) {
		await discardEmpty();
		await storage.close().finally(end);
		throw error;
	}
}

/** Opens the outlines of all users in a PostgreSQL database. */
async function manyOutlines({ options, output }: Call, url: string): Promise<Served> {
	const settings = outlineSettingsOf(options);
	// Checks the settings now rather than at the first request.
	const { createMemoryStorage } = await import("outlinekit/memory");
	new Outline({ ...settings, storage: createMemoryStorage() });
	const pool = await openPostgres(url, ({ message }) => output.note(`A connection to the database broke: ${message}`));
	const keys = new UserKeys(pool);
	try {
		await keys.createTable();
	} catch (error) {
		await pool.end();
		throw error;
	}
	return {
		authenticate: createAuthenticate(pool, keys, settings),
		close: () => pool.end(),
		welcome: ({ address, hasOutliner }) =>
			`${hasOutliner ? "The outliner and the API are" : "The API is"} served at ${address}/ for each user who has a key.
To make a key, in another terminal: outlinekit keys add <user> --url ${address}`,
	};
}

function welcomeToOne({ address, networkAddresses, hasOutliner }: RunningServer, key: string, name: string): string {
	const linkAt = (each: string) => `${each}/#key=${key}`;
	const others = networkAddresses.map((each) => `\nOn another device: ${linkAt(each)}`).join("");
	const outliner = `Write in your browser: ${linkAt(address)}${others}
The browser keeps a copy that works offline too. The link has your API key in it: keep it to yourself.\n\n`;
	return `
${hasOutliner ? outliner : ""}For programs: the same outline is served at ${address}/api/v1/ and kept in ${name}
API key: ${key}

Try it:
  curl -X POST ${address}/api/v1/nodes -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"parent_id":"today","name":"**Hello**, outline"}'
  curl ${address}/api/v1/nodes-export -H "Authorization: Bearer ${key}"`;
}
