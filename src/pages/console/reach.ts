/** The locations of a key or a person in words: those that the viewer sees as well, at most three by name. */
import type { WorkView } from "../as-person.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { isolatedName } from "../parts/name.ts";

/** `ids`: null for every location. */
export function reachOf({ workplace }: WorkView, ids: readonly number[] | null): Html | string {
  if (ids === null) return "All locations";
  if (ids.length === 0) return "No location";
  const seen = workplace.locations.filter(({ id }) => ids.includes(id)).slice(0, ids.length > 3 ? 2 : 3);
  const others = ids.length - seen.length;
  const names = seen.map(({ name }, place) => [place > 0 && ", ", isolatedName(name)]);
  return html`${names}${others > 0 && `${seen.length > 0 ? " and " : ""}${others} more`}`;
}
