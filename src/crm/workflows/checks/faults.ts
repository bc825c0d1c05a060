/** The findings of the checks: sentences by field path. */
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { subjectOf } from "../definition/field-path.ts";

/** `predicate` ends the sentence about a field path such as `nodes.greet.channel_id`. */
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
