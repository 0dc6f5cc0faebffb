/** Opens the site of the documentation in the browser, from its files. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { href } = pathToFileURL(resolve(import.meta.dirname, "../site/index.html"));
const openers = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };
const [command, ...options] = openers[process.platform] ?? ["xdg-open"];
const opener = spawn(command, [...options, href], { stdio: "ignore", detached: true });
opener.on("error", () => {}); // There is no browser, so the address has to do.
opener.unref();
console.log(`The documentation is at ${href}`);
