/** The table of transports in docs/channels.md, as the transports themselves say it. */
import type { Transports } from "../src/crm/channels/transports/transports.ts";

export function transportTable({ all }: Transports): string[] {
  return all.map(({ name, kinds, about }) => {
    const served = kinds === null ? "every kind" : kinds.map((kind) => `\`${kind}\``).join(", ");
    return `| \`${name}\` | ${served} | ${about} |`;
  });
}
