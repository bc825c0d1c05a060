/** Secrets that are shown once: mints them, tells a typo without a look-up, and gives the hash that is stored instead. */
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** What a secret begins with says what it is for. An app's client id has the same form, and is none. */
export type SecretPrefix =
  | "crm_key_"
  | "crm_in_"
  | "crm_app_"
  | "crm_cs_"
  | "crm_session_"
  | "crm_visit_"
  | "crm_invitation_"
  | "crm_reset_"
  | "crm_code_"
  | "crm_install_"
  | "crm_at_"
  | "crm_rt_";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30; // 30 base62 characters are 178 bits
const checkLength = 6; // 62 ** 6 > 2 ** 32: a CRC32 always fits

const form = new RegExp(`^[${alphabet}]{${randomLength + checkLength}}$`);

/**
 * The prefix, 30 random base62 characters, and the 6-character base62 CRC32 of those 30 (the form of GitHub's tokens). `beginning`: the first
 * of the 30, where several secrets have them in common.
 */
export function mintSecret(prefix: SecretPrefix, beginning = ""): string {
  // randomInt draws each character evenly; a byte modulo 62 would favour the first eight.
  const drawn = Array.from({ length: randomLength - beginning.length }, () => alphabet[randomInt(alphabet.length)]);
  const random = beginning + drawn.join("");
  return prefix + random + checkOf(random);
}

/** Whether the text has the form that mintSecret gives; false is certain, true still needs the look-up. */
export function isWellFormedSecret(prefix: SecretPrefix, text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const rest = text.slice(prefix.length);
  return form.test(rest) && checkOf(rest.slice(0, randomLength)) === rest.slice(randomLength);
}

/** SHA-256 in hex: all that is stored. The secrets are random, so they need neither salt nor a slow hash. */
export function hashSecret(text: string): string {
  return hash("sha256", text, "hex");
}

/** The last four characters, by which a listing lets its reader recognise a secret. */
export function lastFour(text: string): string {
  return text.slice(-4);
}

function checkOf(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (let place = 0; place < checkLength; place++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
