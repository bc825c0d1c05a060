/** Disks that can be made full or read-only, and be repaired; where the machine forbids both, a process that may not write. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCrm, startNode } from "../support/node-process.ts";
import type { Finished, ProcessOptions } from "../support/node-process.ts";

/** `await using` removes it. */
export interface SmallDisk extends AsyncDisposable {
  readonly directory: string;
  /** The error of `crm serve` when it starts on it; undefined if it starts. */
  readonly refusal: { readonly code: number; readonly stderr: RegExp } | undefined;
  /** What `/readyz` reports about writes then. */
  readonly why: "disk_full" | "refused";
  /** Start options for processes that use it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes writes fail, at least those of the process `pid`. */
  shut(pid: number): Promise<void>;
  open(pid: number): Promise<void>;
}

const megabytes = 32;

/** A file system in memory, which fails with the real ENOSPC. Needs the right to mount. */
async function openFileSystem(): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "crm-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", directory], { stdio: "pipe" });
  const leave = () => execFileSync("umount", ["--lazy", directory], { stdio: "pipe" });
  process.once("exit", leave);
  const ballast = join(directory, "ballast");
  return {
    directory,
    why: "disk_full",
    refusal: undefined,
    environment: {},
    async shut() {
      const file = openSync(ballast, "a");
      try {
        // Smaller and smaller blocks, down to the last byte.
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

/** A process that may not write files (RLIMIT_FSIZE): each of its writes fails with EFBIG. */
async function openLimit(): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "crm-disk-"));
  const limit = (pid: number, bytes: string) =>
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`], { stdio: "pipe" });
  return {
    directory,
    why: "refused",
    refusal: undefined,
    // Without this, SIGXFSZ would end the process before it sees the error.
    environment: { NODE_OPTIONS: `--import=data:text/javascript,process.on('SIGXFSZ',()=>{})` },
    shut: async (pid) => void limit(pid, "0"),
    open: async (pid) => void limit(pid, "unlimited"),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/**
 * Files that cannot be written, not even by processes that have them open, as on a file system that turned read-only because of an error. (A
 * file system with a file open for writing cannot be remounted read-only.)
 */
async function openImmutable(): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "crm-disk-"));
  const change = async (how: "+i" | "-i") => {
    // Nothing in an immutable folder can be changed: it is repaired first, and made immutable last.
    const files = how === "-i" ? [directory] : [];
    // -shm is shared memory: SQLite maps it instead of writing it.
    for (const name of await readdir(directory)) if (!name.endsWith("-shm")) files.push(join(directory, name));
    if (how === "+i") files.push(directory);
    execFileSync("chattr", [how, ...files], { stdio: "pipe" });
  };
  const mend = () => execFileSync("chattr", ["-R", "-i", directory], { stdio: "pipe" });
  process.once("exit", mend);
  return {
    directory,
    why: "refused",
    refusal: { code: 1, stderr: /^Error: [^\n]* is not writable[^\n]*\.\n$/ },
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

/** Needs the permission, and a file system that enforces it for open files too. */
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

/** Reports the kinds that the machine forbids: their tests only run with the last kind of the list. */
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

/** A way to make a folder read-only, and to start `crm` there. */
export interface ReadOnly {
  readonly kind: string;
  /** Runs `work` while `crm` cannot write below `directory`. */
  during<Result>(directory: string, work: () => Promise<Result>): Promise<Result>;
  crm(parameters: readonly string[], options: ProcessOptions): Promise<Finished>;
}

/** Runs the commands of `shut`, then `work`, and finally those of `open`. */
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
    kind: "files without write permission",
    during: (directory, work) =>
      between([["chmod", "-R", "a-w", directory]], work, [["chmod", "-R", "u+w", directory]]),
    // File permissions do not apply to root.
    crm: (parameters, options) =>
      startNode([join(import.meta.dirname, "bound-by-rights.ts"), ...parameters], options).finished,
  },
];
