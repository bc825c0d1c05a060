/** Events of automatic messages, such as an out-of-office reply: their payload says `automatic`, and workflows ignore them. */
import type { EventHead } from "../../../events/following/positioned-events.ts";
import type { Rows } from "../../../storage/rows.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import { findPayloads } from "./causing-run.ts";

/** The events that an inbound message raises. In others a member of that name may mean something else. */
const mayBeAutomatic: ReadonlySet<EventName> = new Set(["message.received", "conversation.created"]);

export function isAutomatic({ event }: Pick<EventHead, "event">, payload: object | undefined): boolean {
  return mayBeAutomatic.has(event) && payload !== undefined && "automatic" in payload && payload.automatic === true;
}

/** The events without automatic ones; payloads are read only of those that may be. */
export async function withoutAutomatic<Head extends EventHead>(rows: Rows, heads: readonly Head[]): Promise<Head[]> {
  const payloads = await findPayloads(
    rows,
    heads.filter(({ event }) => mayBeAutomatic.has(event)),
  );
  return heads.filter((head) => !isAutomatic(head, payloads.get(head.id)));
}
