/** The text that shows a new API key, the only time it is shown. */
import { printable } from "./table.ts";

export function describeNewKey(done: string, { id, name, key }: { id: number; name: string; key: string }): string {
  return `${done} API key ${id} (${printable(name)}). It is shown only once:\n${key}`;
}
