/** Parses timestamps. */
import { z } from "zod";

/** Seconds are optional: -1 stands for that. */
const withOffset = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);
/** The years that both databases and ISO 8601 write with four digits, in milliseconds. */
export const earliestTime = Date.parse("0001-01-01T00:00:00.000Z");
export const latestTime = Date.parse("9999-12-31T23:59:59.999Z");

/** Parses ISO 8601 with an offset or Z; undefined for anything else. */
export function readTimestamp(text: string): Date | undefined {
  const time = withOffset.safeParse(text).success ? Date.parse(text) : Number.NaN;
  return time >= earliestTime && time <= latestTime ? new Date(time) : undefined;
}
