/** Channels: the list, a new one, its pause, a test message, and the rotation of its inbound URL. */
import { randomUUID } from "node:crypto";
import {
  createChannel,
  getChannelSettings,
  listChannelSettings,
  rotateInboundUrl,
  setChannelStatus,
  testChannel,
} from "../../../crm/channels/channel.operations.ts";
import type { LocationContext } from "../../../events/caller.ts";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import type { Route } from "../../../http/route.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { html } from "../../html.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer } from "../../page-answer.ts";
import { isolatedName } from "../../parts/name.ts";
import { workRoutes } from "../../work.route.ts";
import { answerResult, answerWithNotice } from "../answer-form.ts";
import { answerSecret } from "../answer-secret.ts";
import type { SecretKind } from "../answer-secret.ts";
import { confirmedAction } from "../confirmed-action.ts";
import { confirmPage } from "../confirm.page.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { submit, submitOnce } from "../forms.ts";
import { pathId } from "../path-id.ts";
import { emptyChannelForm, readChannelForm, toChannelInput } from "./channel.form.ts";
import { channelListPage, channelPage, inboundUrlPage, newChannelPage } from "./channel.page.ts";

export function channelRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const routes = workRoutes(deps).inLocation;
  const { shown, sent } = routes;
  const find = (here: AsPerson<LocationContext>, request: IncomingRequest) =>
    carryOut(getChannelSettings, here.caller, { channel: pathId(request, "channel") }, operating);
  const secret: SecretKind<Parameters<typeof inboundUrlPage>[1]> = {
    at: "/channels",
    list: "Channels",
    lost: "The inbound URL was shown once, and is not shown again. If you did not copy it, rotate it.",
    page: inboundUrlPage,
  };

  return [
    shown({
      path: "/channels",
      summary: "The channels of a location.",
      may: listChannelSettings,
      show: async (here) =>
        channelListPage(here, await carryOut(listChannelSettings, here.caller, { query: { urls: false } }, operating)),
    }),
    shown({
      path: "/channels/new",
      summary: "The form of a new channel.",
      may: createChannel,
      show: async (here) => newChannelPage(here, { typed: emptyChannelForm(randomUUID()) }),
    }),
    sent({
      path: "/channels/new",
      summary: "Creates a channel and shows its inbound URL once.",
      may: createChannel,
      async take(here, _request, fields) {
        const typed = readChannelForm(fields);
        const result = await submitOnce(
          createChannel,
          here.caller,
          { input: toChannelInput(typed) },
          operating,
          typed.once,
        );
        return answerSecret(here, secret, result, (faults) => pageAnswer(422, newChannelPage(here, { typed, faults })));
      },
    }),
    shown({
      path: "/channels/{channel}",
      summary: "A channel with its state.",
      may: getChannelSettings,
      show: async (here, request) => channelPage(here, { channel: await find(here, request) }),
    }),
    sent({
      path: "/channels/{channel}/status",
      summary: "Pauses or resumes a channel.",
      may: setChannelStatus,
      async take(here, request, fields) {
        const { id, name } = await find(here, request);
        const status = fields.get("status") === "paused" ? ("paused" as const) : ("active" as const);
        const result = await submit(setChannelStatus, here.caller, { channel: id, input: { status } }, operating);
        return answerResult(deps, here, result, `/channels/${id}`, {
          kind: "ok",
          title: [{ name }, status === "paused" ? " is paused" : " sends again"],
          text: [status === "paused" ? "It sends nothing, and still receives." : ""],
        });
      },
    }),
    sent({
      path: "/channels/{channel}/test",
      summary: "Sends a test message.",
      may: testChannel,
      async take(here, request, fields) {
        const channel = await find(here, request);
        const typed = fields.get("to") ?? "";
        const result = await submit(testChannel, here.caller, { channel: channel.id, input: { to: typed } }, operating);
        if ("faults" in result) {
          // A channel that only stores messages is told at the one field of the form.
          const [sentence = ""] = Object.values(result.faults);
          return pageAnswer(422, channelPage(here, { channel, typed, faults: { to: sentence } }));
        }
        const { reason } = result.body;
        return answerWithNotice(
          deps,
          here,
          `/channels/${channel.id}`,
          reason === null
            ? {
                kind: "ok",
                title: ["The test message was accepted"],
                text: ["The service that delivers it has it now."],
              }
            : { kind: "danger", title: ["The test message was not accepted"], text: [reason] },
        );
      },
    }),
    ...confirmedAction(routes, {
      path: "/channels/{channel}/rotate",
      summary: "Rotates an inbound URL and shows the new one once.",
      may: rotateInboundUrl,
      find,
      ask: (here, { id, name }, once) =>
        confirmPage(here, {
          at: "/channels",
          above: { title: "Channel", path: `/channels/${id}` },
          title: html`Rotate the inbound URL of ${isolatedName(name)}?`,
          text: "The old one is refused at once: messages are lost until the service that sends them has the new one.",
          action: here.to(`/channels/${id}/rotate`),
          hidden: { once },
          button: "Rotate URL",
          keep: "Keep it",
        }),
      async take(here, { id }, fields) {
        const once = fields.get("once") ?? "";
        const result = await submitOnce(rotateInboundUrl, here.caller, { channel: id }, operating, once);
        return answerSecret(here, secret, result, (faults) => answerResult(deps, here, { faults }, `/channels/${id}`));
      },
    }),
  ];
}
