/** Attachments that a workflow keeps, and sends with each of its messages: a message gets a row of its own, which shares the stored pieces. */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { AttachmentRow } from "../conversations/attachments/attachment.view.ts";

const keepText = sql`update attachments set workflow_id = ? where id in ${listed} and location_id = ? and message_id is null
  and workflow_id is null and is_stored = true and created_at > ?`;
const releaseText = sql`update attachments set workflow_id = null, created_at = ? where workflow_id = ? and is_published = false
  and id not in ${listed}`;

/**
 * The workflow, which is locked, keeps the uploads that its draft names, and releases those that only its earlier draft named: they can be sent,
 * or kept again, for a day. Skips ids of other files.
 */
export function keepAttachments(change: Change<LocationContext>, workflowId: number, ids: readonly number[]): void {
  const named = JSON.stringify(ids);
  change.send(releaseText, [change.now, workflowId, named]);
  if (ids.length > 0) change.send(keepText, [workflowId, named, change.location.id, uploadedAfter(change.now)]);
}

const publishText = sql`update attachments set is_published = true where workflow_id = ? and id in ${listed}`;

/** A version names them: the workflow keeps them whatever its draft says, since runs keep their version. */
export function keepPublished(change: Change<LocationContext>, workflowId: number, ids: readonly number[]): void {
  if (ids.length > 0) change.send(publishText, [workflowId, JSON.stringify(ids)]);
}

/** Of a workflow that is about to be deleted, and has no version left that could send them. */
export function releasePublished(change: Change<LocationContext>, workflowId: number): void {
  change.send("update attachments set is_published = false where workflow_id = ?", [workflowId]);
}

const namedText = sql`select id, size, workflow_id, created_at from attachments
  where id in ${listed} and location_id = ? and message_id is null and is_stored = true`;

interface NamedRow {
  readonly id: number;
  readonly size: number;
  readonly workflow_id: number | null;
  readonly created_at: number;
}

/** The sizes of those of `ids` that the workflow has or may keep, in bytes; without `workflowId`, that any workflow of the location has. */
export async function findKeepable(
  reader: Reader<LocationContext>,
  ids: readonly number[],
  workflowId?: number,
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const after = uploadedAfter(reader.tools.clock.now()).getTime();
  const rows = await reader.rows<NamedRow>(namedText, [JSON.stringify([...new Set(ids)]), reader.location.id]);
  const keepable = rows.filter(({ workflow_id: owner, created_at }) =>
    owner === null ? created_at > after : workflowId === undefined || owner === workflowId,
  );
  return new Map(keepable.map(({ id, size }) => [id, size]));
}

const copyText = sql`insert into attachments (location_id, blob_key, name, content_type, size, sha256, is_stored, is_published, created_at)
  select location_id, blob_key, name, content_type, size, sha256, true, false, ? from attachments
  where id in ${listed} and location_id = ? and workflow_id is not null and is_stored = true order by id
  returning id, message_id, location_id, blob_key, name, content_type, content_id, size, sha256`;

/** Copies of what workflows of the location keep, for one message. Refuses, on `attachment_ids`, others. */
export async function copyAttachments(
  change: Change<LocationContext>,
  ids: readonly number[],
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return [];
  const copies = await change.rows<AttachmentRow>(copyText, [change.now, JSON.stringify(ids), change.location.id]);
  if (copies.length < ids.length)
    throw new Invalid({ attachment_ids: ["The attachment ids field names a file that the workflow does not have."] });
  return copies;
}

function uploadedAfter(now: Date): Date {
  return new Date(now.getTime() - limits.unsentAttachmentSeconds * 1000);
}
