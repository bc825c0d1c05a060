/** Sessions of signed-in people: opened, found and ended. A session is a random token in a cookie; the database stores its hash. */
import { hashSecret, isWellFormedSecret, mintSecret } from "../../kit/secrets/secret.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { forget, forgetText } from "../../storage/forget.ts";
import { skipLocked } from "../../storage/locks.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { recordPersonAudit } from "../users/person-audit.ts";
import { limits } from "../../vocabulary/limits.ts";

/** The session of a signed-in person. */
export interface Session {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly email: string;
}

export interface SessionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const openText = "insert into sessions (user_id, hash, user_agent, created_at, expires_at) values (?, ?, ?, ?, ?)";

/** Rows that another transaction is deleting are skipped. */
const endOldestText = sql`delete from sessions where id in
  (select id from sessions where user_id = ? order by id desc limit 1000 offset ${String(limits.sessions)}${skipLocked()})`;

/** Always creates a new token, which prevents session fixation. Beyond the limit per person, the oldest sessions end. */
export async function openSession(
  rows: Rows,
  userId: number,
  { now, userAgent }: { readonly now: Date; readonly userAgent: string | null },
): Promise<string> {
  const token = mintSecret("crm_session_");
  const ends = new Date(now.getTime() + limits.sessionSeconds * 1000);
  const browser = userAgent === null ? null : userAgent.slice(0, limits.userAgent).toWellFormed();
  await rows.rows(openText, [userId, hashSecret(token), browser, now, ends]);
  await rows.rows(endOldestText, [userId]);
  return token;
}

const findText = `
  select s.id, s.user_id as "userId", u.name, u.email, coalesce(s.last_used_at, s.created_at) as "usedAt"
  from sessions s join users u on u.id = s.user_id
  where s.hash = ? and s.expires_at > ?`;

export async function findSession({ database, clock }: SessionDeps, token: string): Promise<Session | undefined> {
  if (!isWellFormedSecret("crm_session_", token)) return undefined;
  const now = clock.now();
  const [found] = await database.rows<Session & { usedAt: number }>(findText, [hashSecret(token), now]);
  if (found === undefined) return undefined;
  const { usedAt, ...session } = found;
  if (now.getTime() - usedAt >= limits.sessionUseSeconds * 1000) {
    // A database that takes no writes still shows pages.
    await database.transaction((change) => change.rows(usedText, [now, session.id])).catch(() => undefined);
  }
  return session;
}

const usedText = "update sessions set last_used_at = ? where id = ?";

/** Plain text; names of records are marked, so that pages isolate their direction. */
export type NoticeText = readonly (string | { readonly name: string })[];

/** A flash message: the result of a form, shown once on the next page. */
export interface SessionNotice {
  readonly kind: "ok" | "info" | "warn" | "danger";
  readonly title: NoticeText;
  readonly text: NoticeText;
}

export async function keepNotice({ database }: SessionDeps, { id }: Session, notice: SessionNotice): Promise<void> {
  const text = "update sessions set notice = ? where id = ?";
  await database.transaction((change) => change.rows(text, [JSON.stringify(notice), id]));
}

/** Returns the stored notice and removes it. */
export async function takeNotice({ database }: SessionDeps, { id }: Session): Promise<SessionNotice | undefined> {
  const [kept] = await database.rows<{ notice: string | null }>("select notice from sessions where id = ?", [id]);
  if (kept === undefined || kept.notice === null) return undefined;
  await database.transaction((change) => change.rows("update sessions set notice = null where id = ?", [id]));
  return JSON.parse(kept.notice) as SessionNotice;
}

/** Ends a session as its person asks for, or with `everywhere` all of theirs, and says so in the audit log. */
export async function signOut(
  { database, clock }: SessionDeps,
  { id, userId }: Session,
  { everywhere, address }: { readonly everywhere: boolean; readonly address: string },
): Promise<void> {
  await database.transaction(async (change) => {
    if (everywhere) await endSessionsOf(change, userId);
    else await endSessionOf(change, userId, id);
    await recordPersonAudit(change, clock.now(), { operation: "signOut", userId, address, details: { everywhere } });
  });
}

export async function endSession({ database }: SessionDeps, { id }: Session): Promise<void> {
  await database.transaction((change) => change.rows("delete from sessions where id = ?", [id]));
}

/** Ends the sessions of a person, on all devices, but for `except`; resolves to how many. */
export async function endSessionsOf(
  rows: Rows,
  userId: number,
  { except = 0 }: { readonly except?: number } = {},
): Promise<number> {
  return (await rows.rows("delete from sessions where user_id = ? and id <> ? returning id", [userId, except])).length;
}

/** Ends one session of a person; resolves to how many there were. */
export async function endSessionOf(rows: Rows, userId: number, id: number): Promise<number> {
  return (await rows.rows("delete from sessions where user_id = ? and id = ? returning id", [userId, id])).length;
}

const deleteExpiredText = forgetText("sessions", "expires_at");

/** Deletes some of the sessions that were opened before `before`; resolves to how many. All are as long, and found by their end. */
export function deleteOldSessions(rows: Rows, before: Date): Promise<number> {
  return forget(rows, deleteExpiredText, new Date(before.getTime() + limits.sessionSeconds * 1000));
}
