/** The thread that takes a scheduled backup; its task is its workerData, and the message "stop" ends it. */
import { parentPort, workerData } from "node:worker_threads";
import type { Settings } from "../../../config/settings.ts";
import { openBlobs } from "../../blobs/open-blobs.ts";
import { lowerThread } from "./background-priority.ts";
import { readKeepRule } from "../../kit/input/keep-rule.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { openBackupTarget, takeInto } from "./backup-target.ts";
import type { TakenBackup } from "./backup-target.ts";

export interface BackupTask {
  readonly settings: Settings;
  readonly at: Date;
  /** The version of crm. */
  readonly version: string;
  /** The tables of this program: the thread loads no entities. */
  readonly own: ReadonlySet<string>;
}

export type ThreadAnswer = { readonly taken: TakenBackup } | { readonly fault: string };

async function take({ settings, at, version, own }: BackupTask, signal: AbortSignal): Promise<TakenBackup> {
  const database = await openDatabase(settings.databaseUrl, [], { create: false });
  try {
    const options = { version, at, own, blobs: openBlobs(settings), masterKeys: null, signal };
    return await takeInto(openBackupTarget(settings), database, options, readKeepRule(settings.backupKeep)!);
  } finally {
    await database.close();
  }
}

lowerThread();
const port = parentPort!;
const stopping = new AbortController();
port.once("message", () => stopping.abort());
const answer: ThreadAnswer = await take(workerData as BackupTask, stopping.signal).then(
  (taken) => ({ taken }),
  (error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }),
);
port.postMessage(answer);
