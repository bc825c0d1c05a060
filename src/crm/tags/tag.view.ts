/** A tag as the API shows it, alone and inside a contact. */
import { z } from "zod";

export const tagView = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string().nullable(),
  })
  .meta({ id: "Tag" });

export type TagView = z.output<typeof tagView>;
