/** A location as the specification shows it ("Location"). */
import { z } from "zod";

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
  .meta({ id: "Location" });

export type LocationView = z.output<typeof locationView>;

/** The columns of the view, by the names that it has for them. */
export const locationColumns = "id, name, address1, city, state, zip, phone_public, timezone, website";
