/** Hashes and verifies passwords with argon2id, off the event loop and with bounded concurrency. */
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { createSemaphore } from "../../kit/waiting/semaphore.ts";

const derive = promisify(argon2);

/** OWASP's minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const current = { memory: 19_456, passes: 2, parallelism: 1 };
const saltLength = 16;
const tagLength = 32;

/** Leaves at least one core and two of libuv's four threads to other work. */
const width = availableParallelism() > 2 ? 2 : 1;
/** The maximum queue length, some seconds of work: attempts are limited per IP address, and an attacker may have many addresses. */
const mostWaiting = 100;
const atOnce = createSemaphore(width, mostWaiting);

/** `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`: the PHC string format, which other programs can read. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const tag = await hash(password, { ...current, salt, tagLength });
  const { memory, passes, parallelism } = current;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

/** Verifies `password`. With null (no password is set) it returns false after the same time, to prevent timing attacks. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { tag, ...parameters } = parse(stored ?? dummyHash);
  const computed = await hash(password, { ...parameters, tagLength: tag.length });
  return timingSafeEqual(computed, tag) && stored !== null;
}

type Parameters = typeof current & { readonly salt: Buffer; readonly tagLength: number };

/** Normalizes to NFKC, so that the keyboard's way of composing letters does not matter (NIST SP 800-63B, 3.1.1.2). */
function hash(password: string, { salt, ...parameters }: Parameters): Promise<Buffer> {
  const message = password.normalize("NFKC");
  return atOnce(() => derive("argon2id", { message, nonce: salt, ...parameters }));
}

function parse(stored: string) {
  const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (form === null) throw new Error("a stored password hash has an unknown format");
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

/** The hash to verify against where no password is set: no password matches its tag. */
const dummyHash = `$argon2id$v=19$m=${current.memory},t=${current.passes},p=${current.parallelism}$${encode(Buffer.alloc(saltLength))}$${encode(Buffer.alloc(tagLength))}`;
