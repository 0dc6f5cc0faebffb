import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { npm } from "./install.js";

/** Whether we may add packages of the system: without that, a download has to do. */
const mayUseApt = process.platform === "linux" && process.getuid() === 0 && hasCommand("apt-get");

/**
 * Vitest calls this before the tests of the browser (`globalSetup`). They find the path in `OUTLINE_BROWSER`, as does
 * whoever else starts one.
 */
export async function setup() {
	process.env.OUTLINE_BROWSER = await browserPath();
}

/** The path of a Chromium, Chrome or Edge: the one that `OUTLINE_BROWSER` names, or an installed one, or one installed now. */
export async function browserPath() {
	const named = process.env.OUTLINE_BROWSER;
	if (named) {
		if (existsSync(named)) return named;
		throw new Error(
			`OUTLINE_BROWSER names ${named}, which doesn't exist. Set it to a Chromium, Chrome or Edge, or unset it.`,
		);
	}
	// Loaded late: this module may be read before the dependencies are installed.
	const { chromium } = await import("playwright-core");
	const downloaded = chromium.executablePath();
	const found = () => [...installedBrowsers(), downloaded].find(existsSync);
	return found() ?? installBrowser(found);
}

/** Where Chrome, Chromium and Edge are on this system, if they are installed. */
function installedBrowsers() {
	const { env } = process;
	if (process.platform === "win32") {
		const folders = [env.ProgramFiles, env["ProgramFiles(x86)"], env.LocalAppData].filter(Boolean);
		const programs = ["Google\\Chrome\\Application\\chrome.exe", "Chromium\\Application\\chrome.exe"];
		programs.push("Microsoft\\Edge\\Application\\msedge.exe");
		return programs.flatMap((program) => folders.map((folder) => join(folder, program)));
	}
	if (process.platform === "darwin") {
		const programs = ["Google Chrome", "Chromium", "Microsoft Edge"];
		const folders = ["/Applications", join(homedir(), "Applications")];
		return programs.flatMap((name) => folders.map((folder) => join(folder, `${name}.app`, "Contents", "MacOS", name)));
	}
	// Not chromium-browser, nor anything of snap: those run in a sandbox that doesn't see the folder of our profile.
	const programs = ["google-chrome-stable", "google-chrome", "chromium", "microsoft-edge-stable", "microsoft-edge"];
	const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
	return programs
		.flatMap((program) => folders.map((folder) => join(folder, program)))
		.filter((path) => existsSync(path) && !/(^|\/)snap(\/|$)/.test(realpathSync(path)));
}

/** Installs a browser and returns where `found` then sees it. */
function installBrowser(found) {
	const tried = [];
	const attempt = (name, install) => {
		console.error(`No Chromium, Chrome or Edge is installed. Installing one with ${name} ...`);
		const worked = install();
		tried.push(`${name} ${worked ? "worked, but brought none" : "failed (see above)"}`);
		return found();
	};
	const path =
		(mayUseApt && attempt("apt-get install chromium", installWithApt)) ||
		attempt("playwright-core install chromium", installWithPlaywright);
	if (path) return path;
	throw new Error(
		`There is no browser for the tests. Looked for Chrome, Chromium and Edge where they are usually installed; ` +
			`${tried.join("; ")}. Install one of them, or set OUTLINE_BROWSER to the path of one.`,
	);
}

function installWithApt() {
	const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	return [["update"], ["install", "-y", "--no-install-recommends", "chromium"]].every(
		(args) => spawnSync("apt-get", ["-q", ...args], { stdio: ["ignore", 2, 2], env: environment }).status === 0,
	);
}

function installWithPlaywright() {
	const options = mayUseApt ? ["--with-deps", "--no-shell"] : ["--no-shell"];
	return npm("exec", "--no", "--", "playwright-core", "install", ...options, "chromium") === 0;
}

function hasCommand(name) {
	return spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;
}
