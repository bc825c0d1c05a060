/** Signs people in and out. A session is a random token in a cookie; the database stores its hash. */
import { hashSecret, isWellFormedSecret, mintSecret } from "../../kit/secrets/secret.ts";
import { emailKey } from "../../kit/text-key.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { forget, forgetText } from "../../storage/forget.ts";
import type { Rows } from "../../storage/rows.ts";
import { limits } from "../../vocabulary/limits.ts";
import { isPassword } from "../passwords/password.ts";

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

/** The token of a new session; undefined if the e-mail address or the password is wrong, after the same time in both cases. */
export async function signIn(
  { database, clock }: SessionDeps,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string | undefined> {
  // PostgreSQL rejects NUL in text; no address contains it.
  const key = emailKey(email.replaceAll("\0", " "));
  const [person] = await database.rows<{ id: number; password_hash: string | null }>(
    "select id, password_hash from users where email_key = ?",
    [key],
  );
  const fits = await isPassword(password, person?.password_hash ?? null);
  if (person === undefined || !fits) return undefined;
  return database.transaction((transaction) => openSession(transaction, person.id, clock.now()));
}

const openText = "insert into sessions (user_id, hash, created_at, expires_at) values (?, ?, ?, ?)";

/** Always creates a new token, which prevents session fixation. */
export async function openSession(rows: Rows, userId: number, now: Date): Promise<string> {
  const token = mintSecret("crm_session_");
  const ends = new Date(now.getTime() + limits.sessionSeconds * 1000);
  await rows.rows(openText, [userId, hashSecret(token), now, ends]);
  return token;
}

const findText = `
  select s.id, s.user_id as "userId", u.name, u.email from sessions s join users u on u.id = s.user_id
  where s.hash = ? and s.expires_at > ?`;

export async function findSession({ database, clock }: SessionDeps, token: string): Promise<Session | undefined> {
  if (!isWellFormedSecret("crm_session_", token)) return undefined;
  const [session] = await database.rows<Session>(findText, [hashSecret(token), clock.now()]);
  return session;
}

/** A flash message: an app was uninstalled from a location. */
export interface SessionNotice {
  readonly uninstalled: string;
  readonly from: string;
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

export async function endSession({ database }: SessionDeps, { id }: Session): Promise<void> {
  await database.transaction((change) => change.rows("delete from sessions where id = ?", [id]));
}

/** Ends every session of a person, on all devices. */
export async function endSessionsOf(rows: Rows, userId: number): Promise<void> {
  await rows.rows("delete from sessions where user_id = ?", [userId]);
}

const deleteExpiredText = forgetText("sessions", "expires_at");

/** Deletes some of the sessions that expired before `now`; resolves to how many. */
export function deleteExpiredSessions(rows: Rows, now: Date): Promise<number> {
  return forget(rows, deleteExpiredText, now);
}
