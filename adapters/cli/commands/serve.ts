import type { Command } from "../command.ts";
import type { OptionTable } from "../options.ts";
import { dateOptions, localOptions, outputOptions, serverOptions } from "../shared-options.ts";

const networkOptions = {
	port: { value: "number", variable: "PORT", help: "the port; default: 3000" },
	host: {
		value: "address",
		variable: "OUTLINEKIT_HOST",
		help: "the address to listen at; 0.0.0.0 for other devices in the network; default: 127.0.0.1",
	},
	"tls-certificate": { value: "path", variable: "OUTLINEKIT_TLS_CERTIFICATE", help: "a certificate in PEM, for HTTPS" },
	"tls-key": { value: "path", variable: "OUTLINEKIT_TLS_KEY", help: "the private key of the certificate" },
	"exports-per-minute": {
		value: "number",
		variable: "OUTLINEKIT_EXPORTS_PER_MINUTE",
		help: "how often a user may export the whole outline, or unlimited; default: 1",
	},
} satisfies OptionTable;

const nameOptions = {
	"app-url": { value: "url", variable: "OUTLINEKIT_APP_URL", help: "the application, for addresses of nodes" },
	"inbox-name": { value: "name", variable: "OUTLINEKIT_INBOX_NAME", help: "the name of a new inbox; default: Inbox" },
	"calendar-name": {
		value: "name",
		variable: "OUTLINEKIT_CALENDAR_NAME",
		help: "the name of a new calendar; default: Calendar",
	},
} satisfies OptionTable;

const { json: _, ...output } = outputOptions;

export const serve: Command = {
	name: "serve",
	summary: "Serve the outliner, the HTTP interface and the sync of devices",
	arguments: [],
	options: {
		...networkOptions,
		...localOptions,
		key: {
			...serverOptions.key,
			help: "the API key of a single outline; default: generated once, and kept beside the outline",
		},
		...dateOptions,
		...nameOptions,
		...output,
	},
	details:
		"A file or an SQLite database has one outline and one key. A PostgreSQL database has an outline for each user,\nand any number of servers may use it: see outlinekit keys add.",
	async run(call) {
		const { serve } = await import("../serve/serve.ts");
		await serve(call);
	},
};
