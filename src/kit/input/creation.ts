/** Fields of a create request: null for an optional field means the same as omitting it. */
import { z } from "zod";

/** An object schema of these fields, in which optional fields also accept null. */
export function creation<const Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [name, orNull(field as z.ZodType)]);
  return z.object(Object.fromEntries(fields) as Shape);
}

/** A field that already accepts null, such as a clearable text, is unchanged. */
function orNull(field: z.ZodType): z.ZodType {
  const isOptional = field.safeParse(undefined).success;
  if (!isOptional || field.safeParse(null).success) return field;
  return field
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}
