/** Disks that can be filled up, or turn read-only, and be mended; where the machine forbids both, a process that may write no more. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCrm, startNode } from "../support/node-process.ts";
import type { Finished, ProcessOptions } from "../support/node-process.ts";

/** `await using` takes it away again. */
export interface SmallDisk extends AsyncDisposable {
  readonly directory: string;
  /** How `crm serve` refuses to start on it then; undefined where it does so for one process alone. */
  readonly refusal: { readonly code: number; readonly stderr: RegExp } | undefined;
  /** What `/readyz` says of writes then. */
  readonly why: "disk_full" | "refused";
  /** What processes that use it are to be started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** From now on nothing can be written, at least not by the process `pid`. */
  shut(pid: number): Promise<void>;
  open(pid: number): Promise<void>;
}

const megabytes = 32;

/** A file system in memory, whose full is the real one (ENOSPC). Needs the right to mount. */
async function openFileSystem(): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "crm-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", directory], { stdio: "pipe" });
  const leave = () => execFileSync("umount", ["--lazy", directory], { stdio: "pipe" });
  process.once("exit", leave);
  const ballast = join(directory, "ballast");
  return {
    directory,
    why: "disk_full",
    refusal: { code: 3, stderr: /^Error: [^\n]*full[^\n]*\.\n$/ },
    environment: {},
    async shut() {
      const file = openSync(ballast, "a");
      try {
        // Ever smaller pieces, down to the last byte.
        for (let size = 1 << 20; size >= 1; size >>= 1) {
          const piece = Buffer.alloc(size);
          while (wrote(file, piece));
        }
      } finally {
        closeSync(file);
      }
    },
    open: () => rm(ballast),
    async [Symbol.asyncDispose]() {
      process.off("exit", leave);
      leave();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function wrote(file: number, piece: Buffer): boolean {
  try {
    return writeSync(file, piece) > 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
    throw error;
  }
}

/** A process that may write no file any more (RLIMIT_FSIZE): each of its writes fails with EFBIG. */
async function openLimit(): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "crm-disk-"));
  const limit = (pid: number, bytes: string) =>
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`], { stdio: "pipe" });
  return {
    directory,
    why: "refused",
    refusal: undefined,
    // The signal that goes with the limit would end the process before it sees the error that a disk gives.
    environment: { NODE_OPTIONS: `--import=data:text/javascript,process.on('SIGXFSZ',()=>{})` },
    shut: async (pid) => void limit(pid, "0"),
    open: async (pid) => void limit(pid, "unlimited"),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/**
 * Files that nobody may write any more, those who have them open included, as on a file system that turned read-only
 * because of an error. (Nobody can turn it so from outside while a file on it is open for writing.)
 */
async function openImmutable(): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "crm-disk-"));
  const change = async (how: "+i" | "-i") => {
    // A folder that is immutable lets nothing be changed in it: it is the first to be mended, and the last to be shut.
    const files = how === "-i" ? [directory] : [];
    // -shm is memory that processes share: SQLite maps it, and does not write it as a file.
    for (const name of await readdir(directory)) if (!name.endsWith("-shm")) files.push(join(directory, name));
    if (how === "+i") files.push(directory);
    execFileSync("chattr", [how, ...files], { stdio: "pipe" });
  };
  const mend = () => execFileSync("chattr", ["-R", "-i", directory], { stdio: "pipe" });
  process.once("exit", mend);
  return {
    directory,
    why: "refused",
    refusal: { code: 1, stderr: /^Error: [^\n]* cannot be written there[^\n]*\.\n$/ },
    environment: {},
    shut: () => change("+i"),
    open: () => change("-i"),
    async [Symbol.asyncDispose]() {
      process.off("exit", mend);
      mend();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function mayMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** Needs the right to it, and a file system that stops also those who have the file open. */
function mayMakeImmutable(): boolean {
  const directory = mkdtempSync(join(tmpdir(), "crm-disk-"));
  const path = join(directory, "file");
  const file = openSync(path, "w");
  try {
    execFileSync("chattr", ["+i", path], { stdio: "pipe" });
    try {
      writeSync(file, "x");
      return false;
    } catch {
      return true;
    } finally {
      execFileSync("chattr", ["-i", path], { stdio: "pipe" });
    }
  } catch {
    return false;
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Says where the machine forbids a kind: its tests run with the last kind of the list alone, which stands in for it. */
function allowed<Kind extends { readonly kind: string }>(may: boolean, kind: Kind): Kind[] {
  if (!may) process.stdout.write(`not allowed on this machine: ${kind.kind}\n`);
  return may ? [kind] : [];
}

/** The kinds that this machine allows; the last one is allowed everywhere. */
export const smallDisks: readonly { kind: string; open: () => Promise<SmallDisk> }[] = [
  ...allowed(mayMount(), { kind: "a full file system", open: openFileSystem }),
  ...allowed(mayMakeImmutable(), { kind: "a disk that turned read-only", open: openImmutable }),
  { kind: "a process that may write no more", open: openLimit },
];

/** A way to let nobody write below a folder, and to start `crm` there. */
export interface ReadOnly {
  readonly kind: string;
  /** Runs `work` while nothing that `crm` starts may write below `directory`. */
  during<Result>(directory: string, work: () => Promise<Result>): Promise<Result>;
  crm(parameters: readonly string[], options: ProcessOptions): Promise<Finished>;
}

/** Runs the commands of `shut`, then `work`, then those of `open`, whatever came of it. */
async function between<Result>(shut: string[][], work: () => Promise<Result>, open: string[][]): Promise<Result> {
  const run = (commands: string[][]) => {
    for (const [program, ...parameters] of commands) execFileSync(program!, parameters, { stdio: "pipe" });
  };
  run(shut);
  try {
    return await work();
  } finally {
    run(open);
  }
}

/** The kinds that this machine allows; the last one is allowed everywhere. */
export const readOnlyKinds: readonly ReadOnly[] = [
  ...allowed(mayMount(), {
    kind: "a file system mounted read-only",
    during: (directory: string, work) => {
      const shut = [
        ["mount", "--bind", directory, directory],
        ["mount", "-o", "remount,bind,ro", directory],
      ];
      return between(shut, work, [["umount", directory]]);
    },
    crm: runCrm,
  } satisfies ReadOnly),
  {
    kind: "files that nobody has the right to write",
    during: (directory, work) =>
      between([["chmod", "-R", "a-w", directory]], work, [["chmod", "-R", "u+w", directory]]),
    // Rights do not bind root.
    crm: (parameters, options) =>
      startNode([join(import.meta.dirname, "bound-by-rights.ts"), ...parameters], options).finished,
  },
];
