/**
 * The table of attachments. A row is inserted before its pieces are written, so that no piece is without a row; only then does a message or a
 * workflow get it. Messages of a workflow share the pieces of its file, each with a row of its own.
 */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../../storage/columns.ts";
import { Location } from "../../../tenancy/locations/location.entity.ts";
import { Message } from "../conversation.entity.ts";

export const Attachment = defineEntity({
  name: "Attachment",
  tableName: "attachments",
  indexes: [
    {
      name: "attachments_of_message",
      expression:
        'create index "attachments_of_message" on "attachments" ("message_id", "id") where "message_id" is not null',
    },
    // Those without a message and a workflow, to be removed after a day.
    {
      name: "attachments_unsent",
      expression:
        'create index "attachments_unsent" on "attachments" ("created_at") where "message_id" is null and "workflow_id" is null',
    },
    {
      name: "attachments_of_workflow",
      expression:
        'create index "attachments_of_workflow" on "attachments" ("workflow_id", "id") where "workflow_id" is not null',
    },
    // The rows that share pieces.
    { name: "attachments_by_blob", properties: ["blobKey", "id"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    /** null until the message is sent or received. */
    message: () => p.manyToOne(Message).nullable().deleteRule("set null").index(false),
    /** The workflow whose draft or versions name it. No foreign key: it would lock the workflow after the run, against the lock order. */
    workflowId: p.type(Integer).nullable(),
    /** Whether a version of the workflow names it, and not only the draft. */
    isPublished: p.boolean().default(false),
    /** The name of its pieces in the file store. */
    blobKey: p.text(),
    name: p.text(),
    /** As the sender declared it. */
    contentType: p.text(),
    /** By which the html of the message shows it. */
    contentId: p.text().nullable(),
    /** In bytes; 0 until all pieces are written. */
    size: p.type(Integer).default(0),
    /** The hash of its content, in hex. */
    sha256: p.text().default(""),
    /** Whether all pieces are written. */
    isStored: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});
