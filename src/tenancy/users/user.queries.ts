/** Reads the people of a workspace, and those with access to a location. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { emailKey } from "../../kit/text-key.ts";
import { isWithinGrant } from "../../operation/grant-limits.ts";
import { ownerRole } from "../../operation/roles.ts";
import { defineNarrowedList } from "../../storage/keyset/narrowed.ts";
import type { ListFilter } from "../../storage/keyset/narrowed.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { Role } from "../../vocabulary/states.ts";
import { visibleIds } from "../locations/location.queries.ts";
import { reaches, reachesListed } from "./membership.reach.ts";
import type { PersonInListView, PersonPageView, UserView } from "./user.view.ts";

/** The names, by id, of those `userIds` that have access to the location. Records can only be assigned to these people. */
export async function findUsersWithAccess(
  reader: Reader<LocationContext>,
  userIds: ReadonlySet<number>,
): Promise<Map<number, string>> {
  if (userIds.size === 0) return new Map();
  const users = await reader.rowsOnce<{ id: number; name: string }>(
    `select u.id, u.name from memberships m join users u on u.id = m.user_id
     where m.workspace_id = ? and m.user_id in (${placeholders(userIds.size)}) and ${reaches("?")}`,
    [reader.workspaceId, ...userIds, reader.location.id],
  );
  return new Map(users.map(({ id, name }) => [id, name]));
}

const ownersText = `select u.name, u.email from memberships m join users u on u.id = m.user_id
  where m.workspace_id = ? and m.role = ? and (m.joined_at is not null or not exists (select 1 from memberships other
    where other.workspace_id = m.workspace_id and other.role = m.role and other.joined_at is not null))
  order by u.id limit 20`;

/** The first twenty owners of a workspace, for mails: those who have joined, or while none has, those who are invited. */
export function findOwners(rows: Rows, workspaceId: number): Promise<{ name: string; email: string }[]> {
  return rows.rows(ownersText, [workspaceId, ownerRole]);
}

interface UserRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly all_locations: boolean | number;
  /** Comma-separated; null for none. */
  readonly location_ids: string | null;
  readonly has_joined: boolean | number;
}

const columns = `u.id, u.name, u.email, memberships.role, memberships.all_locations, memberships.joined_at is not null as has_joined, (
    select string_agg(cast(l.location_id as text), ',' order by l.location_id)
    from membership_locations l where l.membership_id = memberships.id) as location_ids`;
const joins = "join users u on u.id = memberships.user_id";
const selectText = `select ${columns} from memberships ${joins} where memberships.workspace_id = ?`;
const byEmailText = `${selectText} and u.email_key = ?`;
const byIdText = `${selectText} and u.id = ?`;

/**
 * A page of people, by id. A credential limited to locations sees only people with access to one of them, and of their locations only its
 * own. Refuses a cursor of another list.
 */
export function listUsers(reader: Reader, query: PageQuery): Promise<Page<UserView>> {
  return pageOfUsers(reader, query, (row) => toView(row, reader.locationIds));
}

/** The same with whether each has accepted the invitation. */
export function listPeople(reader: Reader, query: PageQuery): Promise<Page<PersonInListView>> {
  return pageOfUsers(reader, query, (row) => ({
    ...toView(row, reader.locationIds),
    has_joined: Boolean(row.has_joined),
  }));
}

const findUsers = defineNarrowedList<UserRow>({
  table: "memberships",
  columns: ["user_id"],
  direction: "asc",
  select: pageText,
});

function pageText(found: SqlText): SqlText {
  return sql`select ${columns} from ${found} ${joins} order by memberships.user_id`;
}

function pageOfUsers<View>(reader: Reader, query: PageQuery, show: (row: UserRow) => View): Promise<Page<View>> {
  const ids = visibleIds(reader);
  const whole: ListFilter = { text: "workspace_id = ?", params: [reader.workspaceId], index: "order" };
  const reach: ListFilter = { text: reachesListed, params: [JSON.stringify(ids)], index: "none" };
  return page(reader.tools.cursors, query, {
    list: `users ${reader.workspaceId} ${reader.location?.id ?? ""}`,
    find: (after: [id: number] | undefined, most) =>
      findUsers({
        rows: reader.rows,
        conditions: ids === null ? [whole] : [whole, reach],
        after,
        most,
        holder: queueKeyOf(reader),
      }),
    placeOf: ({ id }): [number] => [id],
    show,
  });
}

/** A person with whether they have accepted the invitation, and whether the caller may change their membership; undefined if the caller shares no location. */
export async function findPerson(reader: Reader, id: number): Promise<PersonPageView | undefined> {
  const [row] = await reader.rows<UserRow>(byIdText, [reader.workspaceId, id]);
  if (row === undefined) return undefined;
  const whole = toView(row, null);
  const visible = limitToVisible(whole, reader.locationIds);
  return (
    visible && {
      ...visible,
      has_joined: Boolean(row.has_joined),
      may_change: isWithinGrant(reader, { role: whole.role, locationIds: whole.location_ids }),
    }
  );
}

/**
 * The person of the workspace with this id, or this e-mail address in any spelling. A caller limited to locations finds only people with
 * access to one of them, and of their locations sees only its own.
 */
export async function findUser(reader: Reader, emailOrId: string | number): Promise<UserView | undefined> {
  const user = await findWholeUser(reader, emailOrId);
  return user && limitToVisible(user, reader.locationIds);
}

/** The same; refuses `user.not_found`. */
export async function getUser(reader: Reader, emailOrId: string | number): Promise<UserView> {
  const user = await findUser(reader, emailOrId);
  if (user === undefined) throw new Refusal("user.not_found");
  return user;
}

/** The person with all of their locations: for authorization checks, never for output. */
export async function findWholeUser(reader: Reader, emailOrId: string | number): Promise<UserView | undefined> {
  const [text, key] = typeof emailOrId === "number" ? [byIdText, emailOrId] : [byEmailText, emailKey(emailOrId)];
  const [row] = await reader.rows<UserRow>(text, [reader.workspaceId, key]);
  return row && toView(row, null);
}

/** Limits a person's locations to the caller's `visible` ones (null: all); undefined if they share none. */
export function limitToVisible(user: UserView, visible: readonly number[] | null): UserView | undefined {
  if (visible === null) return user;
  const locationIds = user.location_ids?.filter((id) => visible.includes(id)) ?? [...visible];
  return locationIds.length === 0 ? undefined : { ...user, location_ids: locationIds };
}

const elsewhereText =
  "select 1 from memberships where user_id = ? and workspace_id <> ? and joined_at is not null limit 1";

/** Whether a person has joined another workspace, too, where the same password signs them in. */
export async function isMemberElsewhere(reader: Reader, userId: number): Promise<boolean> {
  return (await reader.rows(elsewhereText, [userId, reader.workspaceId])).length > 0;
}

function toView(
  { id, name, email, role, all_locations, location_ids }: UserRow,
  visible: readonly number[] | null,
): UserView {
  const all = all_locations ? null : (location_ids?.split(",").map(Number) ?? []);
  return {
    id,
    name,
    email,
    role,
    location_ids:
      visible === null ? all : all === null ? [...visible] : all.filter((location) => visible.includes(location)),
  };
}

/** The names of people of these roles who have joined the workspace, owners first. */
export async function findWhomToAsk(rows: Rows, workspaceId: number, among: readonly Role[]): Promise<string[]> {
  const text = `
    select u.name from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ? and m.role in (${placeholders(among.length)}) and m.joined_at is not null
    order by m.role desc, u.id limit 5`;
  return (await rows.rows<{ name: string }>(text, [workspaceId, ...among])).map(({ name }) => name);
}
