/** The schemas of a paginated list: its query and its response (specification, "Limits"). */
import { z } from "zod";
import { nullableText } from "./input/fields.ts";

/** The query of every list. */
export const pageQuery = z.object({
  cursor: nullableText().describe("`next_cursor` of the page before; left out for the first page."),
});

/** A page of `item`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "Send it as `cursor` for the next page; null ends the list.", examples: [null] }),
  });
}
