/** The plain HTTP port beside TLS: redirects every request to https, with its method (308), and reads no body. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toListenError } from "./listen-faults.ts";

export interface RedirectServer {
  readonly port: number;
  close(): Promise<void>;
}

interface RedirectOptions {
  readonly host: string;
  readonly port: number;
  /** Where to: undefined for a request without a usable Host header. */
  readonly target: (host: string, path: string) => string | undefined;
}

/** Throws one sentence if it cannot listen. */
export async function startRedirect({ host, port, target }: RedirectOptions): Promise<RedirectServer> {
  const server = createServer((request, response) => {
    const path = request.url?.startsWith("/") === true ? request.url : "/";
    const location = target(request.headers.host ?? "", path);
    const head = { connection: "close", "content-length": "0" };
    if (location === undefined) response.writeHead(400, head);
    else response.writeHead(308, { ...head, location });
    response.end();
  });
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 10_000, maxHeaderSize: 16_384 });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch(async (error: unknown) => {
    throw await toListenError(error, host, port, "CRM_TLS_REDIRECT_PORT");
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** The target of redirects: below the public URL if there is one, else on the host that was asked, at the port of TLS. */
export function toHttps(publicUrl: string | null, tlsPort: number): RedirectOptions["target"] {
  return (host, path) => {
    if (publicUrl?.startsWith("https:") === true) return new URL(publicUrl).origin + path;
    const asked = /^[\w.:[\]-]+$/.test(host) ? URL.parse(`http://${host}`) : null;
    if (asked === null) return undefined;
    return `https://${asked.hostname}${tlsPort === 443 ? "" : `:${tlsPort}`}${path}`;
  };
}
