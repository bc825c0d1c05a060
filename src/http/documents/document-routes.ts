/** The OpenAPI document. */
import { createFixedResponse } from "../response/fixed-response.ts";
import type { FixedResponse } from "../response/fixed-response.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** `openApi` returns the document as JSON. */
export function documentRoutes(openApi: () => string): Route[] {
  let answer: FixedResponse | undefined;
  return [
    route({
      method: "GET",
      path: "/openapi.json",
      summary: "This API as an OpenAPI 3.1 document.",
      serve: async (request) => {
        answer ??= createFixedResponse(openApi(), {
          "content-type": "application/json; charset=utf-8",
          "x-content-type-options": "nosniff",
        });
        return answer(request);
      },
    }),
  ];
}
