/** What comes in for a note. */
import { z } from "zod";
import { flag, nullableText, text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";

export const noteInput = z.object({ body: text(limits.noteBody), pinned: flag() });

export type NoteInput = z.output<typeof noteInput>;

/** GET /contacts/{id}/notes. */
export const noteListQuery = z.object({
  cursor: nullableText().describe("`next_cursor` of the page before."),
});
