/** What comes in for a location. A field that is left out keeps its default when creating, and its value when updating. */
import { z } from "zod";
import { emptyableText, text, timeZone } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { isCountry } from "../../kit/phone.ts";
import { limits } from "../../vocabulary/limits.ts";

const line = emptyableText(limits.name).optional();

const optional = {
  address1: line,
  city: line,
  state: line,
  zip: line,
  phone_public: line,
  timezone: timeZone(),
  website: line,
  country: text()
    .toUpperCase()
    .refine(isCountry, { error: "must be a two-letter country code, such as US." })
    .optional(),
};

export const locationInput = z.object({ name: name(), ...optional }).transform(toFields);
export const locationPatch = z.object({ name: name().optional(), ...optional }).transform(toFields);

/** The fields as they come in, by the names of the API. */
export type GivenLocation = z.input<typeof locationPatch>;

export type LocationInput = z.output<typeof locationInput>;
export type LocationPatch = z.output<typeof locationPatch>;

/** snake_case → camelCase; the fields that were left out are left out here as well. */
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
