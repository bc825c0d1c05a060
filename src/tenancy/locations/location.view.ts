/** The response shape of a location (specification, "Location"). */
import { z } from "zod";

/** An example location. */
export const locationSpecimen = {
  id: 1,
  name: "Main Street",
  address1: "1 Main Street",
  city: "Springfield",
  state: "NY",
  zip: "10001",
  phone_public: "(212) 555-0142",
  timezone: "America/New_York",
  website: "https://example.com",
};

export const locationView = z
  .object({
    id: z.int(),
    name: z.string(),
    address1: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    phone_public: z.string(),
    timezone: z.string(),
    website: z.string(),
  })
  .meta({
    id: "Location",
    description: "A location of the workspace.",
    examples: [locationSpecimen],
  });

export type LocationView = z.output<typeof locationView>;

/** For pages: with the default country of phone numbers, which the specification does not show. */
export const locationSettingsView = locationView.extend({ country: z.string() });

export type LocationSettingsView = z.output<typeof locationSettingsView>;

export const locationListView = z
  .object({ data: z.array(locationView) })
  .meta({ id: "LocationList", description: "Every location that the credential has access to." });

/** The columns of the view; column names equal field names. */
export const locationColumns = "id, name, address1, city, state, zip, phone_public, timezone, website";
