/** A clock that stands still until a test moves it. */
import type { Clock } from "../../src/kit/time/clock.ts";

export class ManualClock implements Clock {
  #now: number;

  constructor(start = "2026-03-01T12:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  advance({
    days = 0,
    hours = 0,
    minutes = 0,
    seconds = 0,
    milliseconds = 0,
  }: Partial<Record<"days" | "hours" | "minutes" | "seconds" | "milliseconds", number>>): void {
    this.#now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  }
}
