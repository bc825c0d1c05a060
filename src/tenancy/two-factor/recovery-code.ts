/** Recovery codes: 80 random bits each, in the letters of Crockford's base32, so that none is mistaken for another. */
import { randomInt } from "node:crypto";
import { hashSecret } from "../../kit/secrets/secret.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = 4;
const groupLength = 4;

/** Codes of one set. */
export const recoveryCodeCount = 10;

/** A new set, as shown: `7Q2M-D4XT-0HKP-W93C`. */
export function mintRecoveryCodes(): string[] {
  const letter = () => alphabet[randomInt(alphabet.length)];
  const group = () => Array.from({ length: groupLength }, letter).join("");
  return Array.from({ length: recoveryCodeCount }, () => Array.from({ length: groups }, group).join("-"));
}

/** The stored form of a typed code: case, hyphens, spaces and look-alikes do not matter. Undefined for what is no code. */
export function hashRecoveryCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return new RegExp(`^[${alphabet}]{${groups * groupLength}}$`).test(code) ? hashSecret(code) : undefined;
}
