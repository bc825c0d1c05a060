/** A progress line on a terminal: how far, how fast and how much longer; nothing in a pipe. */
// Written here: neither consola nor oclif's ux has a bar, and cli-progress has no rate and cuts a line that is too long, where
// this leaves out what can be done without. What is hard about it, ending clean, would be ours all the same.
import { isDumbTerminal } from "../../config/settings.terminal.ts";
import { columnsOfStream } from "./columns.ts";

export interface Progress {
  /** `rows` are done, and with them `done` of the total. */
  update(rows: number, done: number): void;
  /** All is done: leaves a line that says how long it took. */
  finish(): void;
  /** Takes the line away: what is printed next begins at the left. Harmless once finished. */
  clear(): void;
}

interface ProgressOptions {
  /** What `done` counts up to; null where nobody knows, and then there is neither a bar nor an end. */
  readonly total: number | null;
  readonly stream?: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
  /** Milliseconds from any beginning. */
  readonly now?: () => number;
}

/** Milliseconds between two drawings, and the span that the rate is measured over. */
const drawInterval = 100;
const rateSpan = 15_000;

/** Erases the line and goes to its beginning. No colours: there is nothing for NO_COLOR to take away. */
const erase = "\r\u001B[K";

/** Whether a line can be written over there. */
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
  /** Rows a second. */
  readonly rate: number | null;
  /** From 0 to 1. */
  readonly fraction: number | null;
  readonly secondsLeft: number | null;
}

/** At most so wide that a terminal of `columns` does not wrap it: the bar goes first, then what can be done without. */
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
