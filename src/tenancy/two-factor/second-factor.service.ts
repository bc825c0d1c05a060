/** The second factor of a person: turned on and off, and proven by a code of an authenticator app or a recovery code. */
import type { MasterKeys } from "../../kit/secrets/master-keys.ts";
import { forNoKeyUpdate } from "../../storage/locks.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import type { Session, SessionDeps } from "../sessions/session.service.ts";
import { recordPersonAudit } from "../users/person-audit.ts";
import { hashRecoveryCode, mintRecoveryCodes, recoveryCodeCount } from "./recovery-code.ts";
import { findTotpStep } from "./totp.ts";

export interface TwoFactorDeps extends SessionDeps {
  /** Seals the secrets. */
  readonly vault: Pick<MasterKeys, "seal" | "open">;
}

/** The person, and the IP address of the browser. */
interface Holder {
  readonly userId: number;
  readonly address: string;
}

const wrongCode = { code: ["The code is wrong, or was used already. Wait for the next one."] };

const insertText = `insert into second_factors (user_id, secret, last_step, created_at) values (?, ?, ?, ?)
  on conflict (user_id) do nothing returning id`;

const lockPersonText = sql`select id from users where id = ?${forNoKeyUpdate("users")}`;

/**
 * Turns two-factor sign-in on, once `code` shows that the person's app has `secret`, and ends their other sessions,
 * which were opened without it. Returns the recovery codes, which are not stored; undefined if it was on already.
 * Refuses a wrong code on `code`.
 */
export async function turnOn(
  { database, clock, vault }: TwoFactorDeps,
  { userId, id, address }: Pick<Session, "userId" | "id"> & { readonly address: string },
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<string[] | undefined> {
  const now = clock.now();
  const step = findTotpStep(secret, withoutSpaces(code), now);
  if (step === undefined) throw new Invalid(wrongCode);
  return database.transaction(async (change) => {
    // A sign-in by the password alone is over before, or asks for the code: its session ends with the others.
    await change.rows(lockPersonText, [userId]);
    const sealed = vault.seal(secret, secondFactorContext(userId));
    if ((await change.rows(insertText, [userId, sealed, step, now])).length === 0) return undefined;
    const codes = await insertRecoveryCodes(change, userId);
    await endSessionsOf(change, userId, { except: id });
    await recordPersonAudit(change, now, { operation: "turnOnTwoFactor", userId, address });
    return codes;
  });
}

/** Turns it off. Refuses a wrong code on `code`. */
export async function turnOff(deps: TwoFactorDeps, { userId, address }: Holder, code: string): Promise<void> {
  const proof = await requireProof(deps, userId, code);
  await deps.database.transaction(async (change) => {
    if (!(await useProof(change, userId, proof, deps.clock.now()))) throw new Invalid(wrongCode);
    await removeSecondFactor(change, userId);
    await recordPersonAudit(change, deps.clock.now(), { operation: "turnOffTwoFactor", userId, address });
  });
}

/** Replaces all recovery codes by new ones, and returns them. Refuses a wrong code on `code`. */
export async function renewRecoveryCodes(
  deps: TwoFactorDeps,
  { userId, address }: Holder,
  code: string,
): Promise<string[]> {
  const proof = await requireProof(deps, userId, code);
  return deps.database.transaction(async (change) => {
    if (!(await useProof(change, userId, proof, deps.clock.now()))) throw new Invalid(wrongCode);
    await change.rows("delete from recovery_codes where user_id = ?", [userId]);
    await recordPersonAudit(change, deps.clock.now(), { operation: "renewRecoveryCodes", userId, address });
    return insertRecoveryCodes(change, userId);
  });
}

/** Without a code: for the operator. Resolves to whether there was one. */
export async function removeSecondFactor(rows: Rows, userId: number): Promise<boolean> {
  const removed = await rows.rows("delete from second_factors where user_id = ? returning id", [userId]);
  await rows.rows("delete from recovery_codes where user_id = ?", [userId]);
  return removed.length > 0;
}

/** A code that fits, not used up yet. */
export type Proof = { readonly step: number } | { readonly recoveryHash: string };

/** What a typed code proves; undefined for a wrong one. A recovery code is only read here: `useProof` looks it up. */
export async function readProof(
  { database, clock, vault }: TwoFactorDeps,
  userId: number,
  typed: string,
): Promise<Proof | undefined> {
  const recoveryHash = hashRecoveryCode(typed);
  if (recoveryHash !== undefined) return { recoveryHash };
  const [factor] = await database.rows<{ secret: string }>("select secret from second_factors where user_id = ?", [
    userId,
  ]);
  if (factor === undefined) return undefined;
  const step = findTotpStep(vault.open(factor.secret, secondFactorContext(userId)), withoutSpaces(typed), clock.now());
  return step === undefined ? undefined : { step };
}

const useStepText = "update second_factors set last_step = ? where user_id = ? and last_step < ? returning id";
const lockText = "update second_factors set last_step = last_step where user_id = ? returning id";
const useRecoveryText =
  "update recovery_codes set used_at = ? where user_id = ? and hash = ? and used_at is null returning id";

/** Uses a code up: compare-and-set, so that of parallel uses one succeeds. False for one that is used, or older than the last. */
export async function useProof(rows: Rows, userId: number, proof: Proof, now: Date): Promise<boolean> {
  if ("step" in proof) return (await rows.rows(useStepText, [proof.step, userId, proof.step])).length === 1;
  // The factor before its codes (docs/lock-order.md).
  if ((await rows.rows(lockText, [userId])).length === 0) return false;
  return (await rows.rows(useRecoveryText, [now, userId, proof.recoveryHash])).length === 1;
}

async function requireProof(deps: TwoFactorDeps, userId: number, code: string): Promise<Proof> {
  const proof = await readProof(deps, userId, code);
  if (proof === undefined) throw new Invalid(wrongCode);
  return proof;
}

const insertCodesText = `insert into recovery_codes (user_id, hash) values ${Array.from({ length: recoveryCodeCount }, () => "(?, ?)").join(", ")}`;

async function insertRecoveryCodes(rows: Rows, userId: number): Promise<string[]> {
  const codes = mintRecoveryCodes();
  await rows.rows(
    insertCodesText,
    codes.flatMap((code) => [userId, hashRecoveryCode(code)!]),
  );
  return codes;
}

/** Apps show codes in two groups, and people type them so. */
function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, "");
}

export function secondFactorContext(userId: number): string {
  return `second factor of user ${userId}`;
}
