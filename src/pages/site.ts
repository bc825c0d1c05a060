/** Where pages stand: addresses below the base URL, and what a browser is told of cookies and origins. */
import type { Links } from "../kit/links.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { assetPath } from "./assets.ts";
import type { AssetName } from "./assets.ts";

export interface Site {
  /** The path of an address of ours, as a browser asks for it: behind a proxy the service may lie below a path. */
  path(path: `/${string}`): `/${string}`;
  asset(name: AssetName): `/${string}`;
  /** What people read as the address of this service: `crm.acme.example`. */
  readonly host: string;
  /** Whether browsers reach it by https: cookies are sent by nothing else then. */
  readonly isSecure: boolean;
  /** Whether `origin` is where our own pages come from. */
  isOwn(origin: string, request: IncomingRequest): boolean;
}

/** `baseUrl`: CRM_BASE_URL; null: whatever address is asked. */
export function createSite(links: Links, baseUrl: string | null): Site {
  const base = new URL(links.to("/"));
  const prefix = base.pathname.replace(/\/$/, "");
  const path: Site["path"] = (below) => `${prefix}${below}` as `/${string}`;
  return {
    path,
    asset: (name) => path(assetPath(name)),
    host: base.host,
    isSecure: base.protocol === "https:",
    isOwn: (origin, request) =>
      origin === base.origin || (baseUrl === null && origin === `http://${request.header("host") ?? ""}`),
  };
}
