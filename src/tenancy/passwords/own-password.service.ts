/** The password of a signed-in person: verified before a sensitive change, and changed. */
import { Invalid } from "../../vocabulary/errors.ts";
import { endResetsOf } from "../invitations/account-link.service.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import type { Session, SessionDeps } from "../sessions/session.service.ts";
import { recordPersonAudit } from "../users/person-audit.ts";
import { hashPassword, isPassword } from "./password.ts";
import { limits } from "../../vocabulary/limits.ts";

const wrongPassword = "The password is wrong.";

/** Refuses a wrong password on `field`; resolves to its hash. */
export async function requireOwnPassword(
  { database }: Pick<SessionDeps, "database">,
  userId: number,
  typed: string,
  field: string,
): Promise<string> {
  const text = "select password_hash from users where id = ?";
  const [person] = await database.rows<{ password_hash: string | null }>(text, [userId]);
  const hash = person?.password_hash ?? null;
  // Longer input cannot be valid and is not worth hashing.
  const fits = typed.length <= limits.password.longest * 2 && (await isPassword(typed, hash));
  if (!fits || hash === null) throw new Invalid({ [field]: [wrongPassword] });
  return hash;
}

const changeText = "update users set password_hash = ? where id = ? and password_hash = ? returning id";

/**
 * Changes the password, and ends the person's other sessions and unused reset links. `password` has been validated
 * (password.schema.ts). Refuses a wrong current one on `current_password`.
 */
export async function changePassword(
  { database, clock }: SessionDeps,
  { userId, id, address }: Pick<Session, "userId" | "id"> & { readonly address: string },
  { current, password }: { readonly current: string; readonly password: string },
): Promise<void> {
  const old = await requireOwnPassword({ database }, userId, current, "current_password");
  const hash = await hashPassword(password);
  await database.transaction(async (change) => {
    await endResetsOf(change, userId, clock.now());
    const changed = await change.rows(changeText, [hash, userId, old]);
    if (changed.length === 0) throw new Invalid({ current_password: [wrongPassword] });
    await endSessionsOf(change, userId, { except: id });
    await recordPersonAudit(change, clock.now(), { operation: "changePassword", userId, address });
  });
}
