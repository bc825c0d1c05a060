/** The site: URLs below the base URL, cookie attributes, and origins. */
import type { Links } from "../kit/links.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { assetPath } from "./assets.ts";
import type { AssetName } from "./assets.ts";

export interface Site {
  /** The path of a URL as seen by browsers: behind a proxy the service may be below a path. */
  path(path: `/${string}`): `/${string}`;
  asset(name: AssetName): `/${string}`;
  /** The host name shown to people: `crm.acme.example`. */
  readonly host: string;
  /** Whether browsers use https: cookies are then Secure. */
  readonly isSecure: boolean;
  /** Whether `origin` is that of our pages. */
  isOwn(origin: string, request: IncomingRequest): boolean;
}

/** `baseUrl`: CRM_BASE_URL; null for the URL of the request. */
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
      origin === base.origin || (baseUrl === null && origin === `${base.protocol}//${request.header("host") ?? ""}`),
  };
}
