/** Secrets that are shown once: generates them, detects typos by a checksum, and hashes them for storage. */
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** Prefix by purpose. A client ID has the same form but is not a secret. */
export type SecretPrefix =
  | "crm_key_"
  | "crm_in_"
  | "crm_app_"
  | "crm_cs_"
  | "crm_session_"
  | "crm_visit_"
  | "crm_invitation_"
  | "crm_reset_"
  | "crm_setup_"
  | "crm_code_"
  | "crm_install_"
  | "crm_at_"
  | "crm_rt_";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30; // 30 base62 characters are 178 bits
const checkLength = 6; // 62 ** 6 > 2 ** 32: a CRC32 always fits

const form = new RegExp(`^[${alphabet}]{${randomLength + checkLength}}$`);

/**
 * The prefix, 30 random base62 characters, and the 6-character base62 CRC32 of those 30 (the format of GitHub's
 * tokens). `beginning`: a fixed start of the 30, shared by several secrets.
 */
export function mintSecret(prefix: SecretPrefix, beginning = ""): string {
  // randomInt is unbiased; a byte modulo 62 would favor the first eight characters.
  const drawn = Array.from({ length: randomLength - beginning.length }, () => alphabet[randomInt(alphabet.length)]);
  const random = beginning + drawn.join("");
  return prefix + random + checkOf(random);
}

/** Whether the text has the format of mintSecret; false is final, true still needs a look-up. */
export function isWellFormedSecret(prefix: SecretPrefix, text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const rest = text.slice(prefix.length);
  return form.test(rest) && checkOf(rest.slice(0, randomLength)) === rest.slice(randomLength);
}

const shown = new RegExp(`(?:crm_(?!app_)[a-z]+_[${alphabet}]{${randomLength}}|whsec_[\\w+/-]{16}|otpauth:)`);

/** Whether a secret appears in the text: one of ours, the secret of a webhook, or that of an authenticator. */
export function showsSecret(text: string): boolean {
  return shown.test(text);
}

/** SHA-256 in hex, the stored form. Secrets are random, so they need neither salt nor a slow hash. */
export function hashSecret(text: string): string {
  return hash("sha256", text, "hex");
}

/** The last four characters, shown in listings. */
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
