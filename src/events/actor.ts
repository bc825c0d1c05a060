/** The actor of an event, as the timeline shows it (`actor` of an activity). */
import type { ActorType } from "../vocabulary/states.ts";

export interface Actor {
  readonly type: ActorType;
  readonly id: number | null;
  readonly name: string | null;
}
