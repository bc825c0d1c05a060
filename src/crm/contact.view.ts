/** A contact inside the records that hang on it: who it is. */
import { z } from "zod";

export const namedContact = z.object({ id: z.int(), name: z.string() }).meta({ id: "NamedContact" });

export const namedContactSpecimen = { id: 1, name: "Ada Lovelace" };

/** The contact of a row that a left join filled; null where there is none, and where it is deleted. */
export function toNamedContact(id: number | null, name: string | null): z.output<typeof namedContact> | null {
  return id === null ? null : { id, name: name ?? "" };
}
