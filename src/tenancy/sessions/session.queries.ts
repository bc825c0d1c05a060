/** Reads the sessions of a person. */
import type { Rows } from "../../storage/rows.ts";
import { toSessionView } from "./session.view.ts";
import type { SessionRow, SessionView } from "./session.view.ts";

const listText = `
  select id, user_agent, created_at, coalesce(last_used_at, created_at) as used_at from sessions
  where user_id = ? and expires_at > ? order by id desc`;

/** Bounded by the limit per person. */
export async function listSessions(rows: Rows, userId: number, now: Date): Promise<SessionView[]> {
  return (await rows.rows<SessionRow>(listText, [userId, now])).map(toSessionView);
}
