/** What comes in for a note. */
import { z } from "zod";
import { flag, text } from "../../kit/fields.ts";

export const noteInput = z.object({ body: text(), pinned: flag() });

export type NoteInput = z.output<typeof noteInput>;
