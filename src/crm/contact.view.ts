/** A contact inside the records that belong to it: id and name. */
import { z } from "zod";

export const namedContact = z.object({ id: z.int(), name: z.string() }).meta({ id: "NamedContact" });

export const namedContactSpecimen = { id: 1, name: "Ada Lovelace" };

/** The contact of a left-joined row; null if there is none or it is deleted. */
export function toNamedContact(id: number | null, name: string | null): z.output<typeof namedContact> | null {
  return id === null ? null : { id, name: name ?? "" };
}
