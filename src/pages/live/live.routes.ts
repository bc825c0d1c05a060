/** The live streams of work pages: server-sent events with the ids of changed records of a location, or of the webhooks of a workspace. */
import { listWorkflows } from "../../crm/workflows/workflow.operations.ts";
import type { LocationContext } from "../../events/caller.ts";
import type { HttpResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import { browseHooks } from "../../webhooks/hooks/hook.operations.ts";
import type { AsPerson, AsPersonDeps } from "../as-person.ts";
import { workRoutes } from "../work.route.ts";
import type { LiveHub } from "./live-hub.ts";

export function liveRoutes(deps: AsPersonDeps & { readonly live: LiveHub }): Route[] {
  const { inWorkspace, inLocation } = workRoutes(deps);
  const path = "/live";

  async function stream<Where extends LocationContext | null>(
    here: AsPerson<Where>,
    request: IncomingRequest,
    stillMay: () => Promise<boolean>,
  ): Promise<HttpResponse> {
    const head = {
      status: 200,
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        // Proxies that buffer responses would hold the events back.
        "x-accel-buffering": "no",
      },
    };
    if (request.method === "HEAD") return { ...head, body: null };
    const body = await deps.live.open({
      sessionId: here.person.id,
      workspaceId: here.workplace.id,
      locationId: here.place?.id ?? null,
      locationIds: here.workplace.locationIds,
      after: toPosition(request.header("last-event-id") ?? request.query.get("after")),
      stillMay,
      disconnect: () => request.response.destroy(),
    });
    if (body === undefined)
      return { status: 503, body: null, headers: { "retry-after": "30", "cache-control": "no-store" } };
    return { ...head, body };
  }

  return [
    inLocation.shown({
      path,
      summary: "The live stream of a location: ids of changed records as server-sent events.",
      may: listWorkflows,
      show: stream,
    }),
    inWorkspace.shown({
      path,
      summary: "The live stream of a workspace: ids of webhooks whose deliveries changed.",
      may: browseHooks,
      show: stream,
    }),
  ];
}

/** The position in `Last-Event-ID`, or in `after` on the first connection; undefined for anything else. */
function toPosition(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
