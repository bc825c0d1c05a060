/** The form of refresh tokens: all of one family begin alike, so that each still names its family when its own row is long gone. */
import { hashSecret, isWellFormedSecret, mintSecret } from "../../../kit/secrets/secret.ts";

const prefix = "crm_rt_";

/** Of the 30 random characters: 89 bits name the family, and 89 are the token's own. A wrong guess at those ends the family. */
const familyLength = 15;

/** The next token of the family of `before`, or the first of a new one. */
export function mintRefreshToken(before?: string): string {
  return mintSecret(prefix, before && beginningOf(before));
}

/** What is stored of the family of a token; null for a text that is none, or is mistyped. */
export function hashFamily(token: string): string | null {
  return isWellFormedSecret(prefix, token) ? hashSecret(beginningOf(token)) : null;
}

function beginningOf(token: string): string {
  return token.slice(prefix.length, prefix.length + familyLength);
}
