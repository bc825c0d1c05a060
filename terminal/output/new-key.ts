/** How a new API key is told to a person: the one time that it is whole. */
import { printable } from "./table.ts";

export function describeNewKey(done: string, { id, name, key }: { id: number; name: string; key: string }): string {
  return `${done} API key ${id} (${printable(name)}). It is shown this once:\n${key}`;
}
