/** The event log: the latest events, those after a position, and one event. */
import { positionBefore, readEventLog } from "../../../crm/event-log/event.operations.ts";
import type { Route } from "../../../http/route.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { pageAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import { toFaults } from "../forms.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { pathId } from "../path-id.ts";
import { eventLogPage, loggedEventPage } from "./event-log.page.ts";

/** Events per page. */
const limit = 25;

export function eventLogRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const { shown } = workRoutes(deps).inWorkspace;

  return [
    shown({
      path: "/events",
      summary: "The event log of a workspace.",
      may: readEventLog,
      async show(here, { query }) {
        const chosen = query.get("event") || null;
        const after = query.get("after") || null;
        const before = after === null ? query.get("before") || null : null;
        const event = chosen ?? undefined;
        try {
          // Text, as a query parameter has it: the operation judges it.
          const asked = { limit, event, before: before ?? undefined };
          const latest = async () => carryOut(positionBefore, here.caller, { query: asked }, operating);
          const begin = after ?? String((await latest()).position);
          const page = await carryOut(readEventLog, here.caller, { query: { after: begin, limit, event } }, operating);
          // A page with few events before a position reads on beyond it.
          const events = before === null ? page.data : page.data.filter(({ position }) => position < Number(before));
          const earlier = events.length === limit ? events[0]!.position : null;
          const next = after === null ? earlier : page.has_more ? page.last_position : null;
          return eventLogPage(here, { events, chosen, after, before, next });
        } catch (error) {
          if (!(error instanceof Invalid)) throw error;
          return pageAnswer(
            422,
            eventLogPage(here, { events: [], chosen, after, before, next: null, faults: toFaults(error) }),
          );
        }
      },
    }),
    shown({
      path: "/events/{position}",
      summary: "One event with its payload.",
      may: readEventLog,
      async show(here, request) {
        const position = pathId(request, "position");
        if (position === 0) throw new Refusal("route.not_found");
        return loggedEventPage(here, await find(here, position));
      },
    }),
  ];

  /** Refuses `route.not_found` for an event of another workspace, one that was pruned, and a position in the future. */
  async function find({ caller }: Parameters<Parameters<typeof shown>[0]["show"]>[0], position: number) {
    const query = { after: String(position - 1), limit: 1 };
    const page = await carryOut(readEventLog, caller, { query }, operating).catch((error: unknown) => {
      throw error instanceof Invalid ? new Refusal("route.not_found") : error;
    });
    const event = page.data[0];
    if (event?.position !== position) throw new Refusal("route.not_found");
    return event;
  }
}
