/** Takes a backup in a thread of its own: reading an embedded database would block the requests of this one. */
import { Worker } from "node:worker_threads";
import type { TakenBackup } from "./backup-target.ts";
import type { BackupTask, ThreadAnswer } from "./backup-thread.ts";

/**
 * How long a backup that is stopped may take to remove its file, in milliseconds. Then the thread is terminated, since a database, disk or
 * bucket may never answer, and leaves what a killed process does.
 */
const grace = 5000;

/** Resolves when the backup is complete. When `signal` aborts, its file is removed, and the reason is thrown. */
export async function takeInThread(task: BackupTask, signal: AbortSignal): Promise<TakenBackup> {
  signal.throwIfAborted();
  // In the package, the files are JavaScript.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const thread = new Worker(new URL(`./backup-thread.${extension}`, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const answer = Promise.withResolvers<ThreadAnswer>();
  thread
    .on("message", answer.resolve)
    .on("error", answer.reject)
    .on("exit", () => answer.reject(new Error("the thread of the backup ended")));
  let ending: NodeJS.Timeout | undefined;
  const stop = (): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage("stop");
    ending = setTimeout(() => answer.reject(signal.reason), grace);
  };
  signal.addEventListener("abort", stop);
  try {
    const result = await answer.promise;
    if ("fault" in result) {
      signal.throwIfAborted();
      throw new Error(result.fault);
    }
    return result.taken;
  } finally {
    clearTimeout(ending);
    signal.removeEventListener("abort", stop);
    await thread.terminate();
  }
}
