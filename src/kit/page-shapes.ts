/** The schemas of a paginated list: its query and its response (specification, "Limits"). */
import { z } from "zod";
import { limits } from "../vocabulary/limits.ts";
import { nullableText } from "./input/fields.ts";

/** The query of every list. */
export const pageQuery = z.object({
  cursor: nullableText().describe("`next_cursor` of the page before; left out for the first page."),
});

/** The query of a list for pages and the terminal, which show fewer items at once. */
export const shortPageQuery = pageQuery.extend({
  limit: z.int().positive().max(limits.pageSize).optional().describe("The most items of the page."),
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
