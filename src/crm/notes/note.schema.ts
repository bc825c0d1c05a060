/** What comes in for a note. */
import { z } from "zod";
import { flag, text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";

export const noteInput = z
  .object({ body: text(limits.noteBody), pinned: flag() })
  .meta({ examples: [{ body: "Asked for a price list.", pinned: true }] });

export type NoteInput = z.output<typeof noteInput>;
