/** What checks find in a definition: by the place of each, sentences. */
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { subjectOf } from "../definition/field-path.ts";

/** `predicate` ends the sentence about a place such as `nodes.greet.channel_id`. */
export interface Fault {
  readonly place: string;
  readonly predicate: string;
}

export function toFieldErrors(faults: readonly Fault[]): FieldErrors {
  const errors = new Map<string, string[]>();
  for (const { place, predicate } of faults)
    errors.set(place, [...(errors.get(place) ?? []), `${subjectOf(place)} ${predicate}`]);
  return Object.fromEntries(errors);
}
