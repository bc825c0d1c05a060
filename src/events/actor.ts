/** Who did what an event tells of, as the timeline says it (`actor` of an activity). */
import type { ActorType } from "../vocabulary/states.ts";

export interface Actor {
  readonly type: ActorType;
  readonly id: number | null;
  readonly name: string | null;
}
