/** TLS of a listener: its certificate, which is renewed without a restart, and the port that redirects to it. */
import type { ConsolaInstance } from "consola/core";
import type { Settings } from "../../../config/settings.ts";
import type { Listener } from "./listener.ts";
import { readTlsPair, watchTlsFiles } from "./tls.ts";
import type { TlsFiles, TlsPair } from "./tls.ts";
import { startRedirect, toHttps } from "./tls-redirect.ts";

export type TlsSettings = Pick<Settings, "tlsCert" | "tlsKey" | "tlsRedirectPort" | "baseUrl" | "host">;

export interface Tls {
  readonly files: TlsFiles;
  readonly pair: TlsPair;
}

/** Undefined for plain HTTP. Throws one sentence if the settings or the files are wrong. */
export async function openTls({ tlsCert: cert, tlsKey: key, tlsRedirectPort }: TlsSettings): Promise<Tls | undefined> {
  if ((cert === null) !== (key === null))
    throw new Error("CRM_TLS_CERT and CRM_TLS_KEY belong together: set both, or neither.");
  if (cert !== null && key !== null) return { files: { cert, key }, pair: await readTlsPair({ cert, key }) };
  if (tlsRedirectPort !== null) throw new Error("CRM_TLS_REDIRECT_PORT needs CRM_TLS_CERT and CRM_TLS_KEY.");
  return undefined;
}

/**
 * Watches the files, and opens the redirecting port if there is one; resolves to the function that ends both. Throws one
 * sentence if that port is unavailable.
 */
export async function attendTls(
  listener: Listener,
  { files, pair }: Tls,
  {
    settings,
    log,
    interval,
  }: { readonly settings: TlsSettings; readonly log: ConsolaInstance; readonly interval?: number | undefined },
): Promise<() => Promise<void>> {
  const { tlsRedirectPort: port, host, baseUrl } = settings;
  const target = toHttps(baseUrl, Number(new URL(listener.url).port || 443));
  const redirect = port === null ? undefined : await startRedirect({ host, port, target });
  if (redirect !== undefined) log.info("redirecting plain HTTP", { port: redirect.port });
  const stop = watchTlsFiles(
    listener.tlsServer!,
    { files, used: pair, interval },
    {
      renewed: (expires) => log.info("the TLS certificate was renewed", { expires: expires.toISOString() }),
      refused: ({ message }) => log.error(`The new TLS certificate is not used: ${message}`),
    },
  );
  return async () => {
    stop();
    await redirect?.close();
  };
}
