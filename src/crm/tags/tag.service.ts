/** Creates, updates and deletes the tags of a workspace. Applying tags to contacts is in crm/contacts. */
import type { Caller, Change } from "../../events/caller.ts";
import { isCut, textKey } from "../../kit/text-key.ts";
import { fold } from "../../kit/text.ts";
import { requireEveryLocation } from "../../operation/grant-limits.ts";
import { isTaken } from "../../storage/faults.ts";
import { listed } from "../../storage/json.ts";
import { forNoKeyUpdate, lockKeys, forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { recheckGoals } from "../workflow-goals.ts";
import { Tag } from "./tag.entity.ts";
import { findTag } from "./tag.queries.ts";
import type { TagInput, TagPatch } from "./tag.schema.ts";
import type { TagView } from "./tag.view.ts";

const sharedTags = { what: "Tags", scope: "tags.write" } as const;

/** Creates a tag. Refuses, on `name`, a name that the workspace has already, ignoring case and spacing. */
export async function createTag(change: Change, { name, color = null }: TagInput): Promise<TagView> {
  const tag = change.em.create(Tag, {
    workspace: change.workspaceId,
    name,
    ...keysOf(name),
    color,
    createdAt: change.now,
  });
  await flushName(change);
  return { id: tag.id, name, color };
}

/** Names per statement, below the parameter limits of both databases. */
const namesPerStatement = 1000;

/**
 * Creates the tags that the workspace lacks; `names` maps keys (src/kit/text-key.ts) to names. Resolves to the created ones. Call it before the
 * change takes any other lock: it waits for concurrent inserts of the same name.
 */
export async function createMissingTags(
  change: Change,
  names: ReadonlyMap<string, string>,
): Promise<Map<string, TagView>> {
  const made = new Map<string, TagView>();
  const keys = [...names.keys()].toSorted();
  for (let start = 0; start < keys.length; start += namesPerStatement) {
    const part = keys.slice(start, start + namesPerStatement);
    const rows = await change.rowsOnce<TagView & { name_key: string }>(
      `insert into tags (workspace_id, name, name_key, long_key, created_at) values ${part.map(() => "(?, ?, ?, ?, ?)").join(", ")}
       on conflict do nothing returning id, name, color, name_key`,
      part.flatMap((key) => {
        const name = names.get(key)!;
        return [change.workspaceId, name, key, keysOf(name).longKey, change.now];
      }),
    );
    for (const { name_key, ...tag } of rows) made.set(name_key, tag);
  }
  return made;
}

/**
 * Updates the given fields of a tag on all contacts; raises no event (ADR 22). After a new name, waiting runs re-check their goals, a thousand
 * contacts per transaction. If it is interrupted, run it again to finish. Refuses `tag.not_found`, a name that another tag has, and a caller
 * who reaches only some locations.
 */
export async function updateTag(caller: Caller, id: number, { name, color }: TagPatch): Promise<TagView> {
  requireEveryLocation(caller, sharedTags);
  const updated = await caller.change(async (change) => {
    await lockTag(change, id);
    const tag = await change.em.findOne(Tag, { id, workspace: change.workspaceId });
    if (tag === null) throw new Refusal("tag.not_found");
    if (name !== undefined) Object.assign(tag, { name, ...keysOf(name) });
    if (color !== undefined) tag.color = color;
    await flushName(change);
    return { id, name: tag.name, color: tag.color ?? null };
  });
  let after: number | undefined = name === undefined ? undefined : 0;
  while (after !== undefined) {
    const behind: number = after;
    after = await caller.change(async (change) => {
      const contactIds = await lockTaggedContacts(change, id, behind);
      recheckGoals(change, contactIds);
      return contactIds.at(-1);
    });
  }
  return updated;
}

const lockTagText = sql`select id from tags where id = ? and workspace_id = ?${forNoKeyUpdate("tags")}`;

/** Locks the tag against other changes of it until the commit; contacts may still get it. */
export async function lockTag(change: Change, id: number): Promise<void> {
  await change.rows(lockTagText, [id, change.workspaceId]);
}

/** Relies on the unique index, so that one of two concurrent changes is refused. */
async function flushName(change: Change): Promise<void> {
  try {
    await change.em.flush();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new Invalid({ name: ["The name has already been taken."] });
  }
}

/** Contacts per transaction, to keep transactions and their locks short. */
const contactsPerTransaction = 1000;

const taggedText = `select contact_id from contact_tags where tag_id = ? and contact_id > ? order by contact_id limit ${contactsPerTransaction}`;
const lockText = sql`select id from contacts where id in ${listed} order by id${forUpdate("contacts")}`;
const removeText = sql`delete from contact_tags where tag_id = ? and contact_id in ${listed}`;

/** Locks the next batch of contacts with the tag, including deleted ones, after the id `behind`. */
async function lockTaggedContacts(change: Change, id: number, behind = 0): Promise<number[]> {
  const tagged = await change.rows<{ contact_id: number }>(taggedText, [id, behind]);
  const contactIds = tagged.map(({ contact_id }) => contact_id);
  if (contactIds.length > 0) await change.rows(lockText, [JSON.stringify(contactIds)]);
  return contactIds;
}

const deleteText = "delete from tags where id = ? and workspace_id = ?";
const deleteUnusedText = `${deleteText} and not exists (select 1 from contact_tags where tag_id = tags.id)`;

/** Rounds in which the tag is deleted only if no contact has it. */
const mostRounds = 5;

/**
 * Removes a tag from every contact, a thousand per transaction, and then deletes it; raises no event (ADR 22). If it is interrupted, run it
 * again to finish. `progress` receives the number of contacts done. Refuses like updateTag.
 */
export async function deleteTag(
  caller: Caller,
  id: number,
  progress: (count: number) => unknown = () => {},
): Promise<void> {
  requireEveryLocation(caller, sharedTags);
  let count = 0;
  let isDeleted = false;
  for (let round = 1; !isDeleted; round++) {
    if ((await findTag(caller, id)) === undefined) throw new Refusal("tag.not_found");
    for (let removed = contactsPerTransaction; removed === contactsPerTransaction;) {
      removed = await caller.change((change) => removeFromContacts(change, id));
      count += removed;
      if (removed > 0) await progress(count);
    }
    // Not while contacts have it that got it in the meantime: a cascade would not re-check their goals. On PostgreSQL some may still get it while
    // the statement waits for them; their contact.tag_added, which is followed later, re-checks these. Where contacts get it all the time, it goes
    // with the tag at last.
    const text = round < mostRounds ? deleteUnusedText : deleteText;
    const deleted = await caller.change((change) => change.rows(`${text} returning id`, [id, change.workspaceId]));
    isDeleted = deleted.length > 0;
  }
}

/** Removes a tag from the next contacts; resolves to how many they were. */
async function removeFromContacts(change: Change, id: number): Promise<number> {
  // Serializes concurrent deletions of the same tag; the second one continues with the rest.
  lockKeys(change, [`tag ${id}`]);
  const contactIds = await lockTaggedContacts(change, id);
  await change.rows(removeText, [id, JSON.stringify(contactIds)]);
  recheckGoals(change, contactIds);
  return contactIds.length;
}

function keysOf(name: string): { nameKey: string; longKey: string | null } {
  const nameKey = textKey(name);
  return { nameKey, longKey: isCut(nameKey) ? fold(name) : null };
}
