/** --failed-since: what commands repeat, by the time of its failure. */
import { Flags } from "@oclif/core";
import { readDuration } from "../../src/kit/time/duration.ts";
import { WrongUsage } from "../failures.ts";

export const failedSinceFlag = {
  "failed-since": Flags.string({
    description: "All that have failed since then: a time, or a duration such as 24h.",
    helpValue: "TIME",
  }),
};

/** A time with an offset, or a duration before `now`. */
export function readFailedSince(text: string, now: Date): Date {
  const span = readDuration(text);
  if (span !== undefined) return new Date(now.getTime() - span);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time);
  throw new WrongUsage(
    `--failed-since is ${JSON.stringify(text)}; expected a time such as 2026-03-01T12:00:00Z or a duration such as 24h.`,
  );
}
