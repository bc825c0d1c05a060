/** A time span for people: "3 days", "12 minutes", rounded down. */
import { counted } from "../../kit/text.ts";

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

export function spanOf(milliseconds: number): string {
  const [unit, size] = units.find((each) => milliseconds >= each[1]) ?? units.at(-1)!;
  const count = Math.floor(milliseconds / size);
  return counted(count, unit);
}
