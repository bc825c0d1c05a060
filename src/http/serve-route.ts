/** The road of a request to an address outside /api/v1: its body in the form that the row takes, and then the row's own work. */
import type { Answer } from "./answer.ts";
import { parseForm, parseJson, readBody, streamBody } from "./body.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import type { Route } from "./route.ts";

/** `bodyLimit`: the most bytes of a body where the route does not say. */
export async function serveRoute(route: Route, request: IncomingRequest, bodyLimit: number): Promise<Answer> {
  const { message } = request;
  const limit = route.limit ?? bodyLimit;
  const type = request.header("content-type");
  switch (route.body) {
    case "none":
      return route.serve(request);
    case "json":
      return route.serve(request, parseJson(type, await readBody(message, limit)));
    case "form":
      return route.serve(request, parseForm(type, await readBody(message, limit)));
    case "raw":
      return route.serve(request, await readBody(message, limit));
    case "stream":
      return route.serve(request, streamBody(message, limit));
  }
}
