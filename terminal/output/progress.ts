/** A progress line on a terminal: progress, rate and remaining time; nothing in a pipe. */
// Not a package: neither consola nor oclif's ux has a bar, and cli-progress shows no rate and truncates a long line
// instead of dropping parts. Ending cleanly, the hard part, would be ours anyway.
import { isDumbTerminal } from "../../config/settings.terminal.ts";
import { columnsOfStream } from "./columns.ts";

export interface Progress {
  /** Reports `rows` done, and `done` of the total. */
  update(rows: number, done: number): void;
  /** Replaces the bar with a line that says how long it took. */
  finish(): void;
  /** Erases the line, so that further output starts at the left. Harmless once finished. */
  clear(): void;
}

interface ProgressOptions {
  /** The total; null if unknown, and then there is neither a bar nor an estimate. */
  readonly total: number | null;
  readonly stream?: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** The redraw interval and the window of the rate, in milliseconds. */
const drawInterval = 100;
const rateSpan = 15_000;

/** Erases the line and returns the cursor. It uses no colors, so NO_COLOR needs no check. */
const erase = "\r\u001B[K";

/** Whether the line can be rewritten in place. */
export function isAnimated({ isTTY }: { readonly isTTY?: boolean } = process.stderr): boolean {
  return isTTY === true && !isDumbTerminal();
}

export function startProgress({
  total,
  stream = process.stderr,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  if (!isAnimated(stream)) return { update() {}, finish() {}, clear() {} };
  const started = now();
  let last = { time: started, rows: 0, done: 0 };
  let samples = [last];
  let drawnAt = Number.NEGATIVE_INFINITY;

  function clear(): void {
    if (drawnAt > Number.NEGATIVE_INFINITY) stream.write(erase);
    drawnAt = Number.NEGATIVE_INFINITY;
    process.off("exit", clear);
  }
  process.on("exit", clear);

  return {
    clear,
    update(rows, done) {
      last = { time: now(), rows, done: Math.max(last.done, done) };
      if (last.time - drawnAt < drawInterval) return;
      samples = [...samples.filter(({ time }) => last.time - time <= rateSpan), last];
      const [first = last] = samples;
      const seconds = (last.time - first.time) / 1000;
      const pace = (last.done - first.done) / seconds;
      const line = progressLine(
        {
          rows,
          rate: seconds > 0 ? (rows - first.rows) / seconds : null,
          fraction: total === null ? null : Math.min(1, last.done / Math.max(1, total)),
          secondsLeft: total !== null && pace > 0 ? Math.max(0, total - last.done) / pace : null,
        },
        columnsOfStream(stream),
      );
      stream.write(erase + line);
      drawnAt = last.time;
    },
    finish() {
      clear();
      const seconds = (last.time - started) / 1000;
      const rate = seconds > 0 ? `, ${count(last.rows / seconds)} rows/s` : "";
      stream.write(`${count(last.rows)} rows in ${clock(seconds)}${rate}\n`);
    },
  };
}

export interface Moment {
  readonly rows: number;
  /** Rows per second. */
  readonly rate: number | null;
  /** From 0 to 1. */
  readonly fraction: number | null;
  readonly secondsLeft: number | null;
}

/** Fits `columns` without wrapping: drops the bar first, then less important parts. */
export function progressLine({ rows, rate, fraction, secondsLeft }: Moment, columns = 80): string {
  const room = Math.max(1, (columns || 80) - 1);
  const parts = [
    { text: fraction === null ? "" : `${Math.floor(fraction * 100)}%`.padStart(4), weight: 4 },
    { text: `${count(rows)} rows`, weight: 2 },
    { text: rate === null ? "" : `${count(rate)} rows/s`, weight: 1 },
    { text: secondsLeft === null ? "" : `${clock(secondsLeft)} left`, weight: 3 },
  ].filter(({ text }) => text !== "");
  const join = (): string => parts.map(({ text }) => text).join("  ");
  while (parts.length > 1 && join().length > room) {
    const least = Math.min(...parts.map(({ weight }) => weight));
    parts.splice(
      parts.findIndex(({ weight }) => weight === least),
      1,
    );
  }
  const text = join().slice(0, room);
  const width = Math.min(30, room - text.length - "[] ".length);
  if (fraction === null || width < 10) return text;
  const filled = Math.floor(width * fraction);
  return `[${"=".repeat(filled)}${" ".repeat(width - filled)}] ${text}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** 0:07, 12:30, 1:02:03 */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...others] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...others.map((part) => String(part).padStart(2, "0"))].join(":");
}
