/** The fields of something new: null for one that may be left out means the same as leaving it out. */
import { z } from "zod";

/** An object of these fields, each of which gives what it always gave; those that may be left out take null as well. */
export function creation<const Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [name, orNull(field as z.ZodType)]);
  return z.object(Object.fromEntries(fields) as Shape);
}

/** A field that knows null already, such as a text that may be cleared, stays as it is. */
function orNull(field: z.ZodType): z.ZodType {
  const isOptional = field.safeParse(undefined).success;
  if (!isOptional || field.safeParse(null).success) return field;
  return field
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}
