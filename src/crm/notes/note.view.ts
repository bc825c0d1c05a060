/** The response shape of a note (specification, "Note"). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { personView, toPerson } from "../../tenancy/users/user.view.ts";
import { limits } from "../../vocabulary/limits.ts";

/** An example note. */
export const noteSpecimen = {
  id: 1,
  body: "Asked for a price list.",
  pinned: false,
  user: { id: 1, name: "Grace Hopper" },
  created_at: "2026-03-01T12:00:00.000Z",
  updated_at: "2026-03-01T12:00:00.000Z",
};

export const noteView = z
  .object({
    id: z.int(),
    body: z.string(),
    pinned: z.boolean(),
    user: personView
      .nullable()
      .describe("The author; for an app, the person who installed it; null for an API key or a workflow."),
    created_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Note", description: "A note on a contact.", examples: [noteSpecimen] });

export type NoteView = z.output<typeof noteView>;

/** A note inside a contact. */
export const embeddedNoteView = noteView
  .extend({
    truncated: z
      .literal(true)
      .optional()
      .describe(
        `The body is truncated to ${limits.embeddedNoteBody.toLocaleString("en")} characters; GET /contacts/{id}/notes lists notes in full.`,
      ),
  })
  .meta({ id: "EmbeddedNote", examples: [noteSpecimen] });

export type EmbeddedNoteView = z.output<typeof embeddedNoteView>;

export const noteListView = pageOf(noteView).meta({
  id: "NoteList",
  description: "A page of notes in full, newest first.",
});

/** The selected row: times in milliseconds, booleans as each database returns them. */
export interface NoteRow {
  readonly id: number;
  readonly body: string;
  readonly pinned: boolean | number;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A note inside a contact. Long bodies are empty until findLongNotes fills in the truncated text. */
export interface EmbeddedNoteRow extends NoteRow {
  readonly truncated?: boolean | number;
}

export function toEmbeddedNote(row: EmbeddedNoteRow): EmbeddedNoteView {
  const note = toNote(row);
  return row.truncated ? { ...note, truncated: true } : note;
}

export function toNote(row: NoteRow): NoteView {
  return {
    id: row.id,
    body: row.body,
    pinned: Boolean(row.pinned),
    user: toPerson(row.user_id, row.user_name),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
