/** The two routes of a confirmed action: the page that asks, and the form that carries it out. Both find the record first. */
import { randomUUID } from "node:crypto";
import type { LocationContext } from "../../events/caller.ts";
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import type { AsPerson } from "../as-person.ts";
import type { Html } from "../html.ts";
import type { WorkRoute, WorkRoutes } from "../work.route.ts";

/** Its `summary` says what the form does. */
interface ConfirmedAction<Where extends LocationContext | null, Found> extends WorkRoute {
  readonly find: (here: AsPerson<Where>, request: IncomingRequest) => Promise<Found>;
  /** `once`: a new one-time id, for a form whose result is a secret. */
  readonly ask: (here: AsPerson<Where>, found: Found, once: string) => Html | Promise<Html>;
  readonly take: (here: AsPerson<Where>, found: Found, fields: URLSearchParams) => Promise<WholeResponse>;
}

export function confirmedAction<Where extends LocationContext | null, Found>(
  { shown, sent }: WorkRoutes<Where>,
  { path, summary, may, find, ask, take }: ConfirmedAction<Where, Found>,
): readonly [asked: Route, carriedOut: Route] {
  return [
    shown({
      path,
      summary: `Asks for confirmation: ${summary}`,
      may,
      show: async (here, request) => ask(here, await find(here, request), randomUUID()),
    }),
    sent({
      path,
      summary,
      may,
      take: async (here, request, fields) => take(here, await find(here, request), fields),
    }),
  ];
}
