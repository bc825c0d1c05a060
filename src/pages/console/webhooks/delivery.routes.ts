/** A delivery of a webhook, and its replay. */
import { getDelivery } from "../../../crm/event-log/sent-delivery.operations.ts";
import type { Route } from "../../../http/route.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { replayDelivery } from "../../../webhooks/deliveries/delivery.operations.ts";
import { workRoutes } from "../../work.route.ts";
import { answerResult } from "../answer-form.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { submit } from "../forms.ts";
import { pathId } from "../path-id.ts";
import { deliveryPage } from "./delivery.page.ts";

export function deliveryRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const { shown, sent } = workRoutes(deps).inWorkspace;
  return [
    shown({
      path: "/deliveries/{delivery}",
      summary: "A delivery with its attempts and its body as sent.",
      may: getDelivery,
      async show(here, request) {
        const args = { delivery: pathId(request, "delivery") };
        return deliveryPage(here, { delivery: await carryOut(getDelivery, here.caller, args, operating) });
      },
    }),
    sent({
      path: "/deliveries/{delivery}/replay",
      summary: "Replays a delivery.",
      may: replayDelivery,
      async take(here, request) {
        const args = { delivery: pathId(request, "delivery") };
        const result = await submit(replayDelivery, here.caller, args, operating);
        return answerResult(deps, here, result, `/deliveries/${args.delivery}`, {
          kind: "info",
          title: ["The delivery is queued again"],
          text: ["It has five new attempts, which appear below. Without JavaScript, reload this page."],
        });
      },
    }),
  ];
}
