/** The fields of a location as flags, for create and update. */
import { Flags } from "@oclif/core";

export const locationFlags = {
  address1: Flags.string({ description: "Street and number." }),
  city: Flags.string({ description: "City." }),
  state: Flags.string({ description: "State." }),
  zip: Flags.string({ description: "Postal code." }),
  "phone-public": Flags.string({ description: "Public phone number." }),
  timezone: Flags.string({ description: "IANA time zone, such as America/New_York (UTC for a new location)." }),
  website: Flags.string({ description: "Web address." }),
  country: Flags.string({
    description: "Two-letter country of phone numbers without a country code (US for a new location).",
  }),
};

type LocationFlags = { readonly [Name in keyof typeof locationFlags]?: string | undefined };

/** The flags as API fields; omitted ones stay undefined. */
export function toLocationFields({
  "phone-public": phone_public,
  address1,
  city,
  state,
  zip,
  timezone,
  website,
  country,
}: LocationFlags) {
  return { address1, city, state, zip, phone_public, timezone, website, country };
}
