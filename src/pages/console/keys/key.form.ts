/** The form of a new API key: what was typed, and the input of the operation. */
import type { ScopeName } from "../../../vocabulary/scopes.ts";

/** As typed. */
export interface KeyForm {
  /** The one-time id of the form. */
  readonly once: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly where: "all" | "some";
  readonly locationIds: readonly string[];
  readonly expires: keyof typeof expiries;
}

const dayMilliseconds = 86_400_000;

export const expiries = {
  month: { title: "30 days", days: 30 },
  year: { title: "A year", days: 365 },
  never: { title: "No end", days: null },
} as const;

export function emptyKeyForm(once: string, mayGrantAll: boolean): KeyForm {
  return { once, name: "", scopes: [], where: mayGrantAll ? "all" : "some", locationIds: [], expires: "year" };
}

export function readKeyForm(fields: URLSearchParams): KeyForm {
  const expires = fields.get("expires") ?? "";
  return {
    once: fields.get("once") ?? "",
    name: fields.get("name") ?? "",
    scopes: fields.getAll("scopes"),
    where: fields.get("where") === "all" ? "all" : "some",
    locationIds: fields.getAll("location_ids"),
    expires: Object.hasOwn(expiries, expires) ? (expires as keyof typeof expiries) : "year",
  };
}

export function toKeyInput({ name, scopes, where, locationIds, expires }: KeyForm, now: Date) {
  const { days } = expiries[expires];
  return {
    name,
    // Refused where one is unknown.
    scopes: scopes as readonly ScopeName[],
    location_ids: where === "all" ? null : locationIds,
    expires_at: days === null ? null : new Date(now.getTime() + days * dayMilliseconds).toISOString(),
  };
}
