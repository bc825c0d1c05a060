/** Webhooks: the list, a new one, its events, secret and status, tests and replays. */
import { randomUUID } from "node:crypto";
import { getSampleEvent } from "../../../crm/event-log/event.operations.ts";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import type { Route } from "../../../http/route.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import {
  browseDeliveries,
  countDeliveries,
  replayFailed,
  sendTest,
} from "../../../webhooks/deliveries/delivery.operations.ts";
import { mostCounted } from "../../../webhooks/deliveries/delivery-summary.queries.ts";
import { deliveryFilters } from "../../../webhooks/deliveries/delivery-summary.view.ts";
import {
  browseHooks,
  createHook,
  getHook,
  removeHook,
  rotateHookSecret,
  updateHook,
} from "../../../webhooks/hooks/hook.operations.ts";
import { hookEventNames } from "../../../webhooks/hooks/hook.schema.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import { answerWithNotice, answerResult } from "../answer-form.ts";
import { answerSecret } from "../answer-secret.ts";
import type { SecretKind } from "../answer-secret.ts";
import { confirmedAction } from "../confirmed-action.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { submit, submitOnce } from "../forms.ts";
import { readGrace } from "../grace.ts";
import { pathId } from "../path-id.ts";
import { signingSecretPage } from "../signing-secret.page.ts";
import type { NewSigningSecret } from "../signing-secret.page.ts";
import { removeHookPage, replayFailedPage, rotateSecretPage } from "./hook-actions.page.ts";
import { hookEventsPage, newHookPage } from "./hook-form.page.ts";
import { readHookForm, toEventInput } from "./hook.form.ts";
import { hookListPage } from "./hook-list.page.ts";
import { hookPage } from "./hook.page.ts";

/** Webhooks and deliveries per page. */
const limit = 20;

export function hookRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const routes = workRoutes(deps).inWorkspace;
  const { shown, sent } = routes;
  const one = (here: AsPerson, id: number) => carryOut(getHook, here.caller, { hook: id }, operating);
  const find = (here: AsPerson, request: IncomingRequest) => one(here, pathId(request, "hook"));
  const signer = {
    at: "/webhooks",
    list: "Webhooks",
    label: "Secret of the webhook",
    signs: "every delivery",
  } as const;
  const secret: SecretKind<NewSigningSecret> = {
    ...signer,
    lost: "The secret was shown once, and is not shown again. If you did not copy it, rotate it.",
    page: (here, made) => signingSecretPage(here, signer, made),
  };

  return [
    shown({
      path: "/webhooks",
      summary: "The webhooks of a workspace.",
      may: browseHooks,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const hooks = await carryOut(browseHooks, here.caller, { query: { cursor, limit } }, operating);
        return hookListPage(here, { hooks: hooks.data, isContinued: Boolean(cursor), nextCursor: hooks.next_cursor });
      },
    }),
    shown({
      path: "/webhooks/new",
      summary: "The form of a new webhook.",
      may: createHook,
      show: async (here) =>
        newHookPage(here, { typed: { once: randomUUID(), targetUrl: "", which: "all", events: [] } }),
    }),
    sent({
      path: "/webhooks/new",
      summary: "Registers a webhook and shows its secret once, or shows a sample of an event.",
      may: createHook,
      async take(here, _request, fields) {
        const typed = readHookForm(fields);
        if (fields.has("sample")) {
          const event = hookEventNames.find((name) => typed.events.includes(name)) ?? "contact.created";
          const sample = await carryOut(getSampleEvent, here.caller, { query: { event } }, operating);
          return pageAnswer(
            200,
            newHookPage(here, { typed, sample: { event, body: JSON.stringify(sample, null, 2) } }),
          );
        }
        const input = { target_url: typed.targetUrl, event: toEventInput(typed) };
        const result = await submitOnce(createHook, here.caller, { input }, operating, typed.once);
        return answerSecret(here, secret, result, (faults) => pageAnswer(422, newHookPage(here, { typed, faults })));
      },
    }),
    shown({
      path: "/webhooks/{hook}",
      summary: "A webhook and its deliveries.",
      may: browseDeliveries,
      async show(here, request) {
        const id = pathId(request, "hook");
        const cursor = request.query.get("cursor");
        const filter = deliveryFilters.find((name) => name === request.query.get("state"));
        const query = { cursor, limit, state: filter };
        const [hook, deliveries, counts] = await Promise.all([
          one(here, id),
          carryOut(browseDeliveries, here.caller, { hook: id, query }, operating),
          carryOut(countDeliveries, here.caller, { hook: id }, operating),
        ]);
        return hookPage(here, {
          hook,
          counts,
          filter,
          deliveries: deliveries.data,
          isContinued: Boolean(cursor),
          nextCursor: deliveries.next_cursor,
        });
      },
    }),
    sent({
      path: "/webhooks/{hook}/status",
      summary: "Pauses or resumes a webhook.",
      may: updateHook,
      async take(here, request, fields) {
        const hook = pathId(request, "hook");
        const status = fields.get("status") === "paused" ? ("paused" as const) : ("active" as const);
        const result = await submit(updateHook, here.caller, { hook, input: { status } }, operating);
        return answerResult(deps, here, result, `/webhooks/${hook}`, {
          kind: "ok",
          title: [status === "paused" ? "The webhook is paused" : "The webhook is active"],
          text: [status === "paused" ? "Its events wait until you resume it." : "Its events are sent."],
        });
      },
    }),
    sent({
      path: "/webhooks/{hook}/test",
      summary: "Sends a test delivery.",
      may: sendTest,
      async take(here, request) {
        const hook = pathId(request, "hook");
        const result = await submit(sendTest, here.caller, { hook }, operating);
        const path = "body" in result ? (`/deliveries/${result.body.id}` as const) : (`/webhooks/${hook}` as const);
        return answerResult(deps, here, result, path, {
          kind: "info",
          title: ["The test is queued"],
          text: ["The response appears below. Without JavaScript, reload this page."],
        });
      },
    }),
    shown({
      path: "/webhooks/{hook}/events",
      summary: "The form to change the events of a webhook.",
      may: updateHook,
      async show(here, request) {
        const hook = await one(here, pathId(request, "hook"));
        const which = hook.events === null ? ("all" as const) : ("some" as const);
        return hookEventsPage(here, { hook, typed: { once: "", targetUrl: "", which, events: hook.events ?? [] } });
      },
    }),
    sent({
      path: "/webhooks/{hook}/events",
      summary: "Changes the events of a webhook.",
      may: updateHook,
      async take(here, request, fields) {
        const hook = await one(here, pathId(request, "hook"));
        const typed = readHookForm(fields);
        const args = { hook: hook.id, input: { events: toEventInput(typed) } };
        const result = await submit(updateHook, here.caller, args, operating);
        if ("faults" in result) return pageAnswer(422, hookEventsPage(here, { hook, typed, faults: result.faults }));
        return answerWithNotice(deps, here, `/webhooks/${hook.id}`, {
          kind: "ok",
          title: ["The events are changed"],
          text: ["The change applies to events from now on."],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/webhooks/{hook}/secret",
      summary: "Rotates the secret of a webhook and shows the new one once.",
      may: rotateHookSecret,
      find,
      ask: (here, hook, once) => rotateSecretPage(here, { hook, once }),
      async take(here, { id }, fields) {
        const args = { hook: id, input: { grace_seconds: readGrace(fields) } };
        const result = await submitOnce(rotateHookSecret, here.caller, args, operating, fields.get("once") ?? "");
        return answerSecret(here, secret, result, (faults) => answerResult(deps, here, { faults }, `/webhooks/${id}`));
      },
    }),
    ...confirmedAction(routes, {
      path: "/webhooks/{hook}/replay",
      summary: "Replays all failed deliveries of a webhook.",
      may: replayFailed,
      find,
      async ask(here, hook) {
        const { failed } = await carryOut(countDeliveries, here.caller, { hook: hook.id }, operating);
        return replayFailedPage(here, { hook, failed: failed >= mostCounted ? `${failed}+` : String(failed) });
      },
      async take(here, hook) {
        const args = { hook: hook.id, input: { since: hook.created_at } };
        const result = await submit(replayFailed, here.caller, args, operating);
        const count = "body" in result ? result.body.replayed : 0;
        return answerResult(deps, here, result, `/webhooks/${hook.id}`, {
          kind: "ok",
          title: [count === 1 ? "1 delivery is queued again" : `${count} deliveries are queued again`],
          text: ["Those whose payload is pruned are left out."],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/webhooks/{hook}/remove",
      summary: "Removes a webhook.",
      may: removeHook,
      find,
      ask: (here, hook) => removeHookPage(here, { hook }),
      async take(here, { id }) {
        const result = await submit(removeHook, here.caller, { hook: id }, operating);
        return answerResult(deps, here, result, "/webhooks", {
          kind: "ok",
          title: ["The webhook is removed"],
          text: ["Its waiting deliveries are canceled."],
        });
      },
    }),
  ];
}
