import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { npm } from "../../scripts/install.js";

/** Whether this process may install packages of the system. If not, it downloads a browser. */
const mayUseApt = process.platform === "linux" && process.getuid?.() === 0 && hasCommand("apt-get");

/**
 * A Chromium without windows and without the pages about itself. It starts and draws in two thirds of the time.
 */
const quickBrowser = "chromium-headless-shell";

/**
 * Finds or installs a browser before the tests, and puts its path into `OUTLINE_BROWSER`. `OUTLINE_QUICK_BROWSER`
 * gets the path of the quick one, or the same if that isn't installed or `OUTLINE_BROWSER` was set before.
 */
export async function setup(): Promise<void> {
	const path = await browserPath();
	process.env.OUTLINE_QUICK_BROWSER ??= process.env.OUTLINE_BROWSER ? path : (installed([quickBrowser])[0] ?? path);
	process.env.OUTLINE_BROWSER = path;
}

/**
 * Returns the path of a Chromium, Chrome or Edge: the one that `OUTLINE_BROWSER` names, or an installed one.
 * If there is none, installs one.
 */
export async function browserPath(): Promise<string> {
	const named = process.env.OUTLINE_BROWSER;
	if (named) {
		if (existsSync(named)) return named;
		throw new Error(
			`OUTLINE_BROWSER names ${named}, which doesn't exist. Set it to a Chromium, Chrome or Edge, or unset it.`,
		);
	}
	const downloaded = chromium.executablePath();
	const found = () => [...installedBrowsers(), downloaded].find(existsSync);
	return found() ?? installBrowser(found);
}

/** Where Chrome, Chromium and Edge are on this system, if they are installed. */
function installedBrowsers(): string[] {
	const { env } = process;
	if (process.platform === "win32") {
		const folders = [env.ProgramFiles, env["ProgramFiles(x86)"], env.LocalAppData].filter(
			(folder) => folder !== undefined,
		);
		const programs = ["Google\\Chrome\\Application\\chrome.exe", "Chromium\\Application\\chrome.exe"];
		programs.push("Microsoft\\Edge\\Application\\msedge.exe");
		return programs.flatMap((program) => folders.map((folder) => join(folder, program)));
	}
	if (process.platform === "darwin") {
		const programs = ["Google Chrome", "Chromium", "Microsoft Edge"];
		const folders = ["/Applications", join(homedir(), "Applications")];
		return programs.flatMap((name) => folders.map((folder) => join(folder, `${name}.app`, "Contents", "MacOS", name)));
	}
	// Not chromium-browser, which is a part of snap on Ubuntu.
	return installed(["google-chrome-stable", "google-chrome", "chromium", "microsoft-edge-stable", "microsoft-edge"]);
}

/** The paths of those of the programs that are installed. Leaves out snap, whose sandbox doesn't see a profile's folder. */
function installed(programs: readonly string[]): string[] {
	const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
	return programs
		.flatMap((program) => folders.map((folder) => join(folder, program)))
		.filter((path) => existsSync(path) && !/(^|\/)snap(\/|$)/.test(realpathSync(path)));
}

/** Installs a browser and returns where `found` then sees it. */
function installBrowser(found: () => string | undefined): string {
	const tried: string[] = [];
	const attempt = (name: string, install: () => boolean) => {
		console.error(`No Chromium, Chrome or Edge is installed. Installing one with ${name} ...`);
		const worked = install();
		tried.push(`${name} ${worked ? "worked, but brought none" : "failed (see above)"}`);
		return found();
	};
	const path =
		(mayUseApt && attempt("apt-get install", installWithApt)) ||
		attempt("playwright-core install chromium", installWithPlaywright);
	if (path) return path;
	throw new Error(
		`There is no browser for the tests. Looked for Chrome, Chromium and Edge where they are usually installed; ` +
			`${tried.join("; ")}. Install one of them, or set OUTLINE_BROWSER to the path of one.`,
	);
}

/** Installs Chromium, and the quick one where there is a package of it. */
function installWithApt(): boolean {
	const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	const apt = (...args: string[]) =>
		spawnSync("apt-get", ["-q", ...args], { stdio: ["ignore", 2, 2], env: environment }).status === 0;
	const install = (name: string) => apt("install", "-y", "--no-install-recommends", name);
	if (!apt("update") || !install("chromium")) return false;
	install(quickBrowser);
	return true;
}

function installWithPlaywright(): boolean {
	const options = mayUseApt ? ["--with-deps", "--no-shell"] : ["--no-shell"];
	return npm("exec", "--no", "--", "playwright-core", "install", ...options, "chromium") === 0;
}

function hasCommand(name: string): boolean {
	return spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;
}
