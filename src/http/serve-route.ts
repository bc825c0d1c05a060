/** Serves a request to a route outside /api/v1: reads the body in the declared form, then calls the route. */
import type { HttpResponse } from "./http-response.ts";
import { parseForm, parseJson, readBody, requireMedia, streamBody } from "./request/body.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import type { Route } from "./route.ts";

/** `bodyLimit`: the default limit in bytes. */
export async function serveRoute(route: Route, request: IncomingRequest, bodyLimit: number): Promise<HttpResponse> {
  const { message } = request;
  const limit = route.limit ?? bodyLimit;
  switch (route.body) {
    case "none":
      return route.serve(request);
    case "json":
      return route.serve(request, parseJson(message, await readBody(message, limit)));
    case "form":
      return route.serve(request, parseForm(message, await readBody(message, limit)));
    case "raw": {
      const bytes = await readBody(message, limit);
      if (bytes.length > 0) requireMedia(message);
      return route.serve(request, bytes);
    }
    case "stream":
      return route.serve(request, streamBody(message, limit));
  }
}
