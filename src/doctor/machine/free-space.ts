/** Free space where the database, the files and the backups are. */
import { statfs } from "node:fs/promises";
import { failure, listOf, ok, warning } from "../check.ts";
import type { Check, Finding, Machine } from "../check.ts";
import { storedPaths } from "./stored-paths.ts";

const mebibyte = 2 ** 20;
/** In bytes. */
const tooLittle = 100 * mebibyte;
const little = 1024 * mebibyte;

export const freeSpace: Check<Machine> = {
  name: "free space",
  async examine({ settings }) {
    const places = await Promise.all(storedPaths(settings).map(readRoom));
    return judgeRoom(places.filter((place) => place !== undefined));
  },
};

interface Room {
  readonly path: string;
  /** In bytes. */
  readonly free: number;
}

export function judgeRoom(rooms: readonly Room[]): Finding {
  const shown = (most: number): string[] =>
    rooms
      .filter(({ free }) => free < most)
      .map(({ path, free }) => `${path} has ${Math.floor(free / mebibyte)} MiB left`);
  if (shown(tooLittle).length > 0) return failure(listOf(shown(tooLittle)), "free space, or use a larger disk");
  if (shown(little).length > 0) return warning(listOf(shown(little)), "free space, or use a larger disk");
  return ok(listOf(shown(Number.POSITIVE_INFINITY)) || "nothing is stored on this machine");
}

/** Undefined for a path that is not there. */
async function readRoom(path: string): Promise<Room | undefined> {
  const found = await statfs(path).catch(() => undefined);
  return found && { path, free: found.bavail * found.bsize };
}
