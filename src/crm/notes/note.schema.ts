/** The input of a note. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { flag, text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";

export const noteInput = creation({ body: text(limits.noteBody), pinned: flag() }).meta({
  examples: [{ body: "Asked for a price list.", pinned: true }],
});

export type NoteInput = z.output<typeof noteInput>;

/** PATCH /contacts/{id}/notes/{noteId}: omitted fields are unchanged. */
export const notePatch = z
  .object({ body: text(limits.noteBody).optional(), pinned: flag() })
  .meta({ examples: [{ pinned: false }] });

export type NotePatch = z.output<typeof notePatch>;
