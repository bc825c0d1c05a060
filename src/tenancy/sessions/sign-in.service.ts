/** Signs people in: by the password, and by the second factor where it is on. No session exists before both. */
import { hashSecret } from "../../kit/secrets/secret.ts";
import { emailKey } from "../../kit/text-key.ts";
import type { Rows } from "../../storage/rows.ts";
import { limits } from "../../vocabulary/limits.ts";
import { isPassword } from "../passwords/password.ts";
import { hasSecondFactor } from "../two-factor/second-factor.queries.ts";
import { readProof, useProof } from "../two-factor/second-factor.service.ts";
import type { TwoFactorDeps } from "../two-factor/second-factor.service.ts";
import { openSession } from "./session.service.ts";

export type SignInDeps = TwoFactorDeps;

/** After the first step: the token of a new session, or that of a sign-in that waits for the second factor. */
export type SignInStep = { readonly session: string } | { readonly pending: string };

interface PasswordRow {
  readonly id: number;
  readonly password_hash: string | null;
}

/** Undefined if the e-mail address or the password is wrong, after the same time in both cases. */
export async function signIn(
  deps: SignInDeps,
  {
    email,
    password,
    userAgent,
  }: { readonly email: string; readonly password: string; readonly userAgent: string | null },
): Promise<SignInStep | undefined> {
  // PostgreSQL rejects NUL in text; no address contains it.
  const key = emailKey(email.replaceAll("\0", " "));
  const [person] = await deps.database.rows<PasswordRow>("select id, password_hash from users where email_key = ?", [
    key,
  ]);
  const fits = await isPassword(password, person?.password_hash ?? null);
  if (person === undefined || !fits) return undefined;
  return deps.database.transaction((change) => admit(deps, change, person, userAgent));
}

/** Opens a session for a person whose password was verified or chosen, or asks for the second factor. */
export async function admit(
  { clock, vault }: SignInDeps,
  rows: Rows,
  { id, password_hash }: PasswordRow,
  userAgent: string | null,
): Promise<SignInStep> {
  const now = clock.now();
  if (!(await hasSecondFactor(rows, id))) return { session: await openSession(rows, id, { now, userAgent }) };
  const ends = now.getTime() + limits.pendingSignInSeconds * 1000;
  return { pending: vault.seal([id, markOf(password_hash), ends].join(" "), pendingContext) };
}

/** A person whose password was verified, and whose second factor is not yet. */
export interface PendingSignIn {
  readonly userId: number;
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
  return { userId: person.id, name: person.name, email: person.email };
}

interface FinishedSignIn {
  readonly session: string;
  /** Whether a recovery code stood in for one of the app. */
  readonly isRecovered: boolean;
}

/** The token of a new session; undefined for a wrong code, or one that was used already. */
export async function finishSignIn(
  deps: SignInDeps,
  { userId }: Pick<PendingSignIn, "userId">,
  { code, userAgent }: { readonly code: string; readonly userAgent: string | null },
): Promise<FinishedSignIn | undefined> {
  const proof = await readProof(deps, userId, code);
  if (proof === undefined) return undefined;
  const now = deps.clock.now();
  const session = await deps.database.transaction(async (change) =>
    (await useProof(change, userId, proof, now)) ? openSession(change, userId, { now, userAgent }) : undefined,
  );
  return session === undefined ? undefined : { session, isRecovered: "recoveryHash" in proof };
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
