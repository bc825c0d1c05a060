/** TLS: a certificate and its key from files, which are read again when they change. A pair that does not fit is never used. */
import { X509Certificate, createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Server } from "node:https";

export interface TlsFiles {
  /** Paths of PEM files: the certificate, followed by those of its issuers, and its private key. */
  readonly cert: string;
  readonly key: string;
}

export interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** How often the files are read, in milliseconds: they are small, and watching a file misses one that is replaced by a link. */
const lookInterval = 5000;

/** Throws one sentence if a file cannot be read, is not PEM, or the two do not belong together. */
export async function readTlsPair(files: TlsFiles): Promise<TlsPair> {
  const [cert, key] = await Promise.all([read("CRM_TLS_CERT", files.cert), read("CRM_TLS_KEY", files.key)]);
  const certificate = parse(
    () => new X509Certificate(cert),
    `CRM_TLS_CERT: ${files.cert} holds no certificate in PEM format.`,
  );
  const privateKey = parse(
    (): KeyObject => createPrivateKey(key),
    `CRM_TLS_KEY: ${files.key} holds no private key in PEM format, or one with a passphrase.`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error(
      `The key in ${files.key} does not belong to the certificate in ${files.cert}: set CRM_TLS_KEY and CRM_TLS_CERT to a pair.`,
    );
  // What OpenSSL refuses beyond that, such as a key that is too short.
  parse(() => createSecureContext({ cert, key }), `OpenSSL refuses the certificate in ${files.cert}.`);
  return { cert, key };
}

interface Reporting {
  readonly renewed: (expires: Date) => void;
  /** Called once for each pair that is not used: the last one stays in use. */
  readonly refused: (error: Error) => void;
}

/** Uses a new pair for connections from then on; returns a function that stops it. */
export function watchTlsFiles(
  server: Pick<Server, "setSecureContext">,
  {
    files,
    used,
    interval = lookInterval,
  }: { readonly files: TlsFiles; readonly used: TlsPair; readonly interval?: number | undefined },
  { renewed, refused }: Reporting,
): () => void {
  let current = used;
  let lastFault = "";
  /** Two files cannot be replaced at once: a fault counts when it is seen twice in a row. */
  let isSuspect = false;
  let isLooking = false;

  async function look(): Promise<void> {
    try {
      const next = await readTlsPair(files);
      [lastFault, isSuspect] = ["", false];
      if (next.cert.equals(current.cert) && next.key.equals(current.key)) return;
      server.setSecureContext(next);
      current = next;
      renewed(new X509Certificate(next.cert).validToDate);
    } catch (error) {
      const { message } = error as Error;
      if (isSuspect && message !== lastFault) {
        lastFault = message;
        refused(error as Error);
      }
      isSuspect = true;
    }
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, interval).unref();
  return () => clearInterval(timer);
}

async function read(name: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new Error(`${name}: ${path} cannot be read (${code}).`, { cause: error });
  }
}

function parse<Parsed>(work: () => Parsed, sentence: string): Parsed {
  try {
    return work();
  } catch {
    throw new Error(sentence);
  }
}
