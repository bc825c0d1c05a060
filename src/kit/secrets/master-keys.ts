/**
 * Encrypts secrets at rest under a list of master keys: the first key encrypts, all keys decrypt, so that keys can be
 * rotated.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export type MasterKeys = {
  /** Encrypts `plain` with `context` (such as table and row) as associated data: only the same context opens it. */
  seal(plain: string, context: string): string;
  /** Decrypts. Throws if no key fits, or if the ciphertext or its context differs. */
  open(sealed: string, context: string): string;
  /** A 32-byte key derived from the first master key; each purpose has its own. */
  derive(purpose: string): Buffer;
  /** The keys of this purpose derived from all master keys, the first one first, to verify older signatures. */
  deriveAll(purpose: string): Buffer[];
};

const version = "v1";
const nonceLength = 12;
const tagLength = 16;

/** A new master key: 32 random bytes in base64url. */
export function mintMasterKey(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Refuses an empty list, and keys other than 32 bytes as 43 base64url characters or 64 hex digits; error messages never
 * contain a key.
 */
export function createMasterKeys(keys: readonly string[]): MasterKeys {
  const masters = keys.map(readKey);
  const [first] = masters;
  if (first === undefined) throw new Error("At least one master key is needed.");
  // A master key is never used directly: each use, encryption included, has a derived key (RFC 5869).
  const sealing = masters.map((master) => ({ id: keyId(master), key: expand(master, "seal", 32) }));
  const newest = sealing[0]!;

  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv("aes-256-gcm", newest.key, nonce, { authTagLength: tagLength });
      cipher.setAAD(Buffer.from(context, "utf8"));
      const body = Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${version}.${newest.id}.${body.toString("base64url")}`;
    },

    open(sealed, context) {
      const [form, id, encoded, ...more] = sealed.split(".");
      const body = Buffer.from(encoded ?? "", "base64url");
      // Node ignores characters outside base64url; encoding again reveals them.
      const whole = body.length >= nonceLength + tagLength && body.toString("base64url") === encoded;
      if (form !== version || !whole || more.length > 0) {
        throw new Error(`The stored secret of ${context} is not in the form that this version of crm seals.`);
      }
      const candidates = sealing.filter((candidate) => candidate.id === id);
      if (candidates.length === 0) {
        throw new Error(`The stored secret of ${context} was sealed with a master key that is not in CRM_SECRET_KEYS.`);
      }
      for (const { key } of candidates) {
        const plain = decrypt(key, body, context);
        if (plain !== undefined) return plain;
      }
      throw new Error(
        `The stored secret of ${context} cannot be opened: it was changed, or it belongs to another record.`,
      );
    },

    derive: (purpose) => expand(first, `derive:${purpose}`, 32),
    deriveAll: (purpose) => masters.map((master) => expand(master, `derive:${purpose}`, 32)),
  };
}

function decrypt(key: Buffer, body: Buffer, context: string): string | undefined {
  const decipher = createDecipheriv("aes-256-gcm", key, body.subarray(0, nonceLength), { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(context, "utf8"));
  decipher.setAuthTag(body.subarray(-tagLength));
  const plain = decipher.update(body.subarray(nonceLength, -tagLength));
  try {
    return Buffer.concat([plain, decipher.final()]).toString("utf8");
  } catch {
    return undefined; // authentication failed: final() throws
  }
}

/** The ID of a key within a ciphertext; it reveals nothing about the key. */
function keyId(master: Buffer): string {
  return expand(master, "key id", 6).toString("hex");
}

function expand(master: Buffer, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", master, "", `crm:${info}`, length));
}

function readKey(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  const key = Buffer.from(text, "base64url");
  if (key.length !== 32 || key.toString("base64url") !== text) {
    throw new Error("A master key must be 32 bytes: 43 base64url characters or 64 hex digits.");
  }
  return key;
}
