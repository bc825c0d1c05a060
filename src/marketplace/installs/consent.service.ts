/** Stores authorization requests until a person has answered, and records the answer. */
import { hashSecret, mintSecret } from "../../kit/secrets/secret.ts";
import { isReferenceGone } from "../../storage/faults.ts";
import type { Rows } from "../../storage/rows.ts";
import type { SessionDeps, Session } from "../../tenancy/sessions/session.service.ts";
import { limits } from "../../vocabulary/limits.ts";
import {
  authorizationColumns,
  readAuthorizationParameters,
  toAuthorizationValues,
} from "../oauth/authorization-parameters.ts";
import type { AuthorizationParameters, AuthorizationParametersRow } from "../oauth/authorization-parameters.ts";
import type { AuthorizationRequest } from "../oauth/authorization-request.ts";
import type { GrantableLocation } from "./consent.queries.ts";

/** A pending request, as needed for its answer. */
export interface HeldRequest extends AuthorizationParameters {
  readonly id: number;
  readonly appId: number;
  readonly appName: string;
}

const holdText = `
  insert into oauth_requests (session_id, app_id, ${authorizationColumns}, created_at, expires_at)
  select id, ?, ?, ?, ?, ?, ?, ? from sessions where id = ? returning id`;

/** Maximum open requests per session: the oldest are dropped. */
const mostOpen = 20;
const trimText = `
  delete from oauth_requests where session_id = ? and id not in (
    select id from (select id from oauth_requests where session_id = ? order by id desc limit ${mostOpen}) as newest)`;

/** Stores the request for this session; returns the ID used by the form, or undefined if the session has ended meanwhile. */
export async function askConsent(
  { database, clock }: SessionDeps,
  session: Session,
  request: AuthorizationRequest,
): Promise<number | undefined> {
  const now = clock.now();
  const ends = new Date(now.getTime() + limits.oauth.requestSeconds * 1000);
  const values = [request.client.id, ...toAuthorizationValues(request), now, ends, session.id];
  try {
    return await database.transaction(async ({ rows }) => {
      const [held] = await rows<{ id: number }>(holdText, values);
      await rows(trimText, [session.id, session.id]);
      return held?.id;
    });
  } catch (error) {
    if (isReferenceGone(error)) return undefined;
    throw error;
  }
}

interface HeldRequestRow extends AuthorizationParametersRow {
  readonly id: number;
  readonly app_id: number;
  readonly app_name: string;
}

const findText = `
  select r.id, r.app_id, a.name as app_name, r.redirect_uri, r.scopes, r.state, r.code_challenge
  from oauth_requests r join apps a on a.id = r.app_id
  where r.id = ? and r.session_id = ? and r.answered_at is null and r.expires_at > ?`;

/** The pending request of this session; undefined if answered, expired, or of another session. */
export async function findHeldRequest(
  rows: Rows,
  session: Session,
  id: number,
  now: Date,
): Promise<HeldRequest | undefined> {
  const [row] = await rows.rows<HeldRequestRow>(findText, [id, session.id, now]);
  return row && { id: row.id, appId: row.app_id, appName: row.app_name, ...readAuthorizationParameters(row) };
}

const answerText = "update oauth_requests set answered_at = ? where id = ? and answered_at is null returning id";

/** False if another answer was first: a resubmitted form has no effect. */
export async function markAnswered(rows: Rows, { id }: HeldRequest, now: Date): Promise<boolean> {
  return (await rows.rows(answerText, [now, id])).length === 1;
}

const grantText = `
  insert into oauth_grants (app_id, location_id, membership_id, created_at) values (?, ?, ?, ?) returning id`;
const codeText = `
  insert into oauth_codes (grant_id, hash, redirect_uri, scopes, code_challenge, expires_at) values (?, ?, ?, ?, ?, ?)`;
/** Serializes concurrent consents: the latest one counts. */
const installText = `
  insert into app_installs (app_id, location_id, user_id, user_name, scopes, installed_at) values (?, ?, ?, ?, ?, ?)
  on conflict (location_id, app_id) where uninstalled_at is null do update set
    scopes = excluded.scopes, user_id = excluded.user_id, user_name = excluded.user_name`;

interface GivenConsent {
  readonly session: Session;
  readonly location: GrantableLocation;
  readonly now: Date;
}

/**
 * Grants the request at `location`: records the install, whose scopes limit earlier grants, a grant, and the code for the
 * app.
 */
export async function allow(
  rows: Rows,
  held: Omit<HeldRequest, "id" | "appName" | "state">,
  { session, location, now }: GivenConsent,
): Promise<string> {
  const scopes = JSON.stringify(held.scopes);
  await rows.rows(installText, [held.appId, location.id, session.userId, session.name, scopes, now]);
  const [grant] = await rows.rows<{ id: number }>(grantText, [held.appId, location.id, location.membershipId, now]);
  const code = mintSecret("crm_code_");
  const ends = new Date(now.getTime() + limits.oauth.codeSeconds * 1000);
  const challenge = held.codeChallenge;
  await rows.rows(codeText, [grant!.id, hashSecret(code), held.redirectUri, scopes, challenge, ends]);
  return code;
}
