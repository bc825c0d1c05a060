/** Disks that can be filled up and freed: a small file system of its own where mounting is allowed, else a limit on one process. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `await using` takes it away again. */
export interface SmallDisk extends AsyncDisposable {
  readonly directory: string;
  /** Whether it is full for every process, and not for one alone. */
  readonly shared: boolean;
  /** What processes that use it are to be started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** From now on there is no room left, at least not for the process `pid`. */
  fill(pid: number): Promise<void>;
  free(pid: number): Promise<void>;
}

const megabytes = 32;

/** A file system in memory, whose full is the real one (ENOSPC). Needs the right to mount. */
async function openFileSystem(): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "crm-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory], { stdio: "pipe" });
  const leave = () => execFileSync("umount", ["--lazy", directory], { stdio: "pipe" });
  process.once("exit", leave);
  const ballast = join(directory, "ballast");
  return {
    directory,
    shared: true,
    environment: {},
    async fill() {
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
    free: () => rm(ballast),
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
    shared: false,
    // The signal that goes with the limit would end the process before it sees the error that a disk gives.
    environment: { NODE_OPTIONS: `--import=data:text/javascript,process.on('SIGXFSZ',()=>{})` },
    fill: async (pid) => void limit(pid, "0"),
    free: async (pid) => void limit(pid, "unlimited"),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
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

/** The kinds that this machine allows. */
export const smallDisks: readonly { kind: string; open: () => Promise<SmallDisk> }[] = [
  ...(mayMount() ? [{ kind: "a full file system", open: openFileSystem }] : []),
  { kind: "a process that may write no more", open: openLimit },
];

/** Runs `work` while nobody may write below `directory`. */
export async function whileReadOnly<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  // Rights do not bind root; a mount does.
  const [shut, open] =
    process.getuid?.() === 0
      ? [
          [
            ["mount", "--bind", directory, directory],
            ["mount", "-o", "remount,bind,ro", directory],
          ],
          [["umount", directory]],
        ]
      : [[["chmod", "-R", "a-w", directory]], [["chmod", "-R", "u+w", directory]]];
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
