/** One record as text: a head, and a line for each member that has a value. */
import { printable } from "./table.ts";

/** Members that are null are left out. */
export function details(head: string, members: Readonly<Record<string, string | null>>): string {
  const lines = Object.entries(members).flatMap(([label, text]) =>
    text === null ? [] : [`  ${label}: ${printable(text)}`],
  );
  return [printable(head), ...lines].join("\n");
}
