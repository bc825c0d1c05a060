/** A server of rows that a test makes up, on a socket of its own, over the workspaces and keys of a world. */
import { createHttpHandler } from "../../src/http/app.ts";
import { startListener } from "../../src/http/connection/listener.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { Route } from "../../src/http/route.ts";
import { createKeyAuthentication } from "../../src/tenancy/api-keys/api-key.authentication.ts";
import { findVisibleLocation } from "../../src/tenancy/locations/location.queries.ts";
import type { World } from "./world.ts";

interface Rows {
  readonly endpoints?: readonly Endpoint[];
  readonly routes?: readonly Route[];
  /** Bytes. */
  readonly bodyLimit?: number;
  /** How long it waits when it is stopped, in milliseconds. */
  readonly patience?: { readonly others: number; readonly answers: number };
}

export interface SmallApp extends AsyncDisposable {
  readonly url: string;
  /** What the log would be told: "GET /inbound/{token} 200". */
  readonly answered: string[];
  /** Whatever was reported as no doing of the client's. */
  readonly reported: unknown[];
}

export async function startSmallApp(
  { service }: World,
  { endpoints = [], routes = [], bodyLimit = 1000, patience }: Rows,
): Promise<SmallApp> {
  const { database, clock, callAs, deps } = service;
  const answered: string[] = [];
  const reported: unknown[] = [];
  const handler = createHttpHandler({
    endpoints,
    routes,
    context: {
      authenticate: createKeyAuthentication({ database, clock }).authenticate,
      locate: (identity, id) => findVisibleLocation(database, identity.workspaceId, identity.locationIds, id),
      callAs,
      deps,
      limitRequests: () => undefined,
      limitFailures: () => undefined,
      bodyLimit,
      report: (error) => void reported.push(error),
    },
    addressOf: () => "127.0.0.1",
    answered: ({ method, template }, status) => void answered.push(`${method} ${template} ${status}`),
  });
  const listener = await startListener(handler, {
    host: "127.0.0.1",
    port: 0,
    refusedUnread: () => {},
    ...(patience === undefined ? {} : { patience }),
  });
  return { url: listener.url, answered, reported, [Symbol.asyncDispose]: () => listener.close() };
}
