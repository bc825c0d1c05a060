/** Signs people in: by the password, and by the second factor where it is on. No session exists before both. */
import { hashSecret } from "../../kit/secrets/secret.ts";
import { emailKey } from "../../kit/text-key.ts";
import { forShare } from "../../storage/locks.ts";
import type { Rows, Writer } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { isPassword } from "../passwords/password.ts";
import { hasSecondFactor } from "../two-factor/second-factor.queries.ts";
import { readProof, useProof } from "../two-factor/second-factor.service.ts";
import type { TwoFactorDeps } from "../two-factor/second-factor.service.ts";
import { recordPersonAudit } from "../users/person-audit.ts";
import { openSession } from "./session.service.ts";

export type SignInDeps = TwoFactorDeps;

/** The browser that signs in. */
export interface Browser {
  readonly userAgent: string | null;
  /** Its IP address. */
  readonly address: string;
}

/** After the first step: the token of a new session, or that of a sign-in that waits for the second factor. */
export type SignInStep = { readonly session: string } | { readonly pending: string };

interface PasswordRow {
  readonly id: number;
  readonly password_hash: string | null;
}

/** Undefined if the e-mail address or the password is wrong, after the same time in both cases; each attempt is audited. */
export async function signIn(
  deps: SignInDeps,
  { email, password, ...browser }: Browser & { readonly email: string; readonly password: string },
): Promise<SignInStep | undefined> {
  // PostgreSQL rejects NUL in text; no address contains it.
  const key = emailKey(email.replaceAll("\0", " "));
  const [person] = await deps.database.rows<PasswordRow>("select id, password_hash from users where email_key = ?", [
    key,
  ]);
  const fits = await isPassword(password, person?.password_hash ?? null);
  return deps.database.transaction(async (change) => {
    if (person !== undefined && fits && (await holdPassword(change, person.id)) === person.password_hash)
      return admit(deps, change, person, browser);
    await recordFailure(deps, change, person?.id, browser, "password");
    return undefined;
  });
}

const holdText = sql`select password_hash from users where id = ?${forShare("users")}`;

/** The hash of a person's password now. A change of it waits for the commit, and then ends the session that is opened here. */
async function holdPassword(rows: Rows, userId: number): Promise<string | null | undefined> {
  const [held] = await rows.rows<Pick<PasswordRow, "password_hash">>(holdText, [userId]);
  return held?.password_hash;
}

/** Opens a session for a person whose password was verified or chosen, or asks for the second factor. */
export async function admit(
  { clock, vault }: SignInDeps,
  change: Writer,
  { id, password_hash }: PasswordRow,
  { userAgent, address }: Browser,
): Promise<SignInStep> {
  const now = clock.now();
  if (!(await hasSecondFactor(change, id))) {
    const session = await openSession(change, id, { now, userAgent });
    await recordPersonAudit(change, now, { operation: "signIn", userId: id, address });
    return { session };
  }
  const ends = now.getTime() + limits.pendingSignInSeconds * 1000;
  return { pending: vault.seal([id, markOf(password_hash), ends].join(" "), pendingContext) };
}

/** A person whose password was verified, and whose second factor is not yet. */
export interface PendingSignIn {
  readonly userId: number;
  /** Of the password that was verified. */
  readonly passwordHash: string | null;
  readonly name: string;
  readonly email: string;
}

const pendingContext = "sign-in that waits for the second factor";

/** Undefined for a token that is forged or expired, or was issued for an earlier password. Nothing is stored: the token is sealed. */
export async function findPendingSignIn(
  { database, clock, vault }: SignInDeps,
  token: string,
): Promise<PendingSignIn | undefined> {
  const [id, mark, ends] = openOrNull(vault, token)?.split(" ") ?? [];
  if (id === undefined || Number(ends) <= clock.now().getTime()) return undefined;
  const text = "select id, name, email, password_hash from users where id = ?";
  const [person] = await database.rows<PasswordRow & { name: string; email: string }>(text, [Number(id)]);
  if (person === undefined || markOf(person.password_hash) !== mark) return undefined;
  return { userId: person.id, passwordHash: person.password_hash, name: person.name, email: person.email };
}

interface FinishedSignIn {
  readonly session: string;
  /** Whether a recovery code stood in for one of the app. */
  readonly isRecovered: boolean;
}

/** The token of a new session; undefined for a wrong code, one that was used already, or if the password has changed meanwhile. */
export async function finishSignIn(
  deps: SignInDeps,
  { userId, passwordHash }: Pick<PendingSignIn, "userId" | "passwordHash">,
  { code, ...browser }: Browser & { readonly code: string },
): Promise<FinishedSignIn | undefined> {
  const proof = await readProof(deps, userId, code);
  const now = deps.clock.now();
  const session = await deps.database.transaction(async (change) => {
    const isHeld = (await holdPassword(change, userId)) === passwordHash;
    if (!isHeld || proof === undefined || !(await useProof(change, userId, proof, now))) {
      await recordFailure(deps, change, userId, browser, "code");
      return undefined;
    }
    const { userAgent, address } = browser;
    const opened = await openSession(change, userId, { now, userAgent });
    const details = { second_factor: "recoveryHash" in proof ? "recovery_code" : "app" };
    await recordPersonAudit(change, now, { operation: "signIn", userId, address, details });
    return opened;
  });
  return session === undefined || proof === undefined ? undefined : { session, isRecovered: "recoveryHash" in proof };
}

/** An unknown address takes the same statements as a known one, so that the time does not tell them apart. It is not written down. */
async function recordFailure(
  { clock }: SignInDeps,
  change: Writer,
  userId: number | undefined,
  { address }: Browser,
  wrong: "password" | "code",
): Promise<void> {
  const details = { wrong: userId === undefined ? "email" : wrong };
  await recordPersonAudit(change, clock.now(), { operation: "signInFailed", userId, address, details });
}

/** Changes with the password. */
function markOf(passwordHash: string | null): string {
  return hashSecret(passwordHash ?? "");
}

function openOrNull(vault: SignInDeps["vault"], token: string): string | undefined {
  try {
    return vault.open(token, pendingContext);
  } catch {
    return undefined;
  }
}
