/**
 * The format of refresh tokens: all of a family share a prefix, so that each identifies its family after its own row is
 * deleted.
 */
import { hashSecret, isWellFormedSecret, mintSecret } from "../../../kit/secrets/secret.ts";

const prefix = "crm_rt_";

/** Of the 30 random characters, 89 bits identify the family and 89 the token. A wrong token part revokes the family. */
const familyLength = 15;

/** The next token in the family of `before`, or the first of a new family. */
export function mintRefreshToken(before?: string): string {
  return mintSecret(prefix, before && beginningOf(before));
}

/** The stored hash of a token's family; null for text that is not a token. */
export function hashFamily(token: string): string | null {
  return isWellFormedSecret(prefix, token) ? hashSecret(beginningOf(token)) : null;
}

function beginningOf(token: string): string {
  return token.slice(prefix.length, prefix.length + familyLength);
}
