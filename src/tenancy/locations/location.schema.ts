/** The input of a location. An omitted field gets its default on create, and keeps its value on update. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { emptyableText, text, timeZone } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { isCountry } from "../../kit/phone.ts";
import { limits } from "../../vocabulary/limits.ts";

const line = emptyableText(limits.name).optional();

/** A location always has a time zone, so that null cannot clear it. */
export const locationZone = timeZone()
  .unwrap()
  .unwrap()
  .refine((name) => name !== null, { error: "is required." })
  .optional();

/** Of phone numbers without a country code. */
export const locationCountry = text()
  .toUpperCase()
  .refine(isCountry, { error: "must be a two-letter country code, such as US." })
  .optional();

const optional = {
  address1: line,
  city: line,
  state: line,
  zip: line,
  phone_public: line,
  timezone: timeZone(),
  website: line,
  country: locationCountry,
};

export const locationInput = creation({ name: name(), ...optional })
  .transform(toFields)
  .meta({ examples: [{ name: "Main Street", timezone: "America/New_York", country: "US" }] });
export const locationPatch = z
  .object({ name: name().optional(), ...optional, timezone: locationZone })
  .transform(toFields);

/** The fields of the input, by their API names. */
export type LocationFields = z.input<typeof locationPatch>;

export type LocationInput = z.output<typeof locationInput>;
export type LocationPatch = z.output<typeof locationPatch>;

/** snake_case → camelCase; omitted fields stay omitted. */
function toFields<Given extends { phone_public?: string | undefined; timezone?: string | null | undefined }>({
  phone_public: phonePublic,
  timezone,
  ...same
}: Given): Omit<Given, "phone_public" | "timezone"> & {
  phonePublic?: string | undefined;
  timezone?: string | undefined;
} {
  return { ...same, phonePublic, timezone: timezone ?? undefined };
}
