/** Hashes passwords with argon2id, off the event loop and a few at a time, and tells whether one fits. */
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { createSemaphore } from "../../kit/waiting/semaphore.ts";

const derive = promisify(argon2);

/** OWASP's least for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const current = { memory: 19_456, passes: 2, parallelism: 1 };
const saltLength = 16;
const tagLength = 32;

/** A core, and two of libuv's four threads, stay free: who signs in holds up nobody else. */
const width = availableParallelism() > 2 ? 2 : 1;
/** So many wait for their turn at most, which takes some seconds: attempts are counted by address, and somebody may have many addresses. */
const mostWaiting = 100;
const atOnce = createSemaphore(width, mostWaiting);

/** `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`, the form that other programs read as well. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const tag = await hash(password, { ...current, salt, tagLength });
  const { memory, passes, parallelism } = current;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

/** Whether `password` is the one that was hashed. With null, for somebody who has none, false after as long a time. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { tag, ...parameters } = parse(stored ?? nobody);
  const given = await hash(password, { ...parameters, tagLength: tag.length });
  return timingSafeEqual(given, tag) && stored !== null;
}

type Parameters = typeof current & { readonly salt: Buffer; readonly tagLength: number };

/** One password has one form, however a keyboard composes its letters (NIST SP 800-63B, 3.1.1.2). */
function hash(password: string, { salt, ...parameters }: Parameters): Promise<Buffer> {
  const message = password.normalize("NFKC");
  return atOnce(() => derive("argon2id", { message, nonce: salt, ...parameters }));
}

function parse(stored: string) {
  const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (form === null) throw new Error("a stored password is not in the form that this version of crm writes");
  const [memory, passes, parallelism] = form.slice(1, 4).map(Number) as [number, number, number];
  return {
    memory,
    passes,
    parallelism,
    salt: Buffer.from(form[4]!, "base64"),
    tag: Buffer.from(form[5]!, "base64"),
  };
}

function encode(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

/** What is hashed against for whoever has no password: no password gives this tag. */
const nobody = `$argon2id$v=19$m=${current.memory},t=${current.passes},p=${current.parallelism}$${encode(Buffer.alloc(saltLength))}$${encode(Buffer.alloc(tagLength))}`;
