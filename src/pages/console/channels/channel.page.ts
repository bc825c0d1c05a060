/** The channels of a location: the list, one with its state, and a new one. */
import type { ChannelSettingsView, NewChannelView, OpenChannelView } from "../../../crm/channels/channel.view.ts";
import { channelTransports } from "../../../crm/channels/transports/all.ts";
import { channelKinds } from "../../../vocabulary/states.ts";
import type { ChannelStatus } from "../../../vocabulary/states.ts";
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { icon } from "../../parts/icon.ts";
import { empty } from "../../parts/lists/empty.ts";
import { table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { pairs } from "../../parts/pairs.ts";
import { secretOnce } from "../../parts/secret-once.ts";
import { day } from "../../parts/times.ts";
import type { ChannelForm } from "./channel.form.ts";
import { kindTexts } from "./channel.texts.ts";

/** Channels on the page; the API lists all. */
const most = 50;

export function channelListPage(here: WorkView, channels: readonly ChannelSettingsView[]): Html {
  const { site } = here;
  const create = html`<a class="button primary" href="${here.to("/channels/new")}"
    >${icon(site, "plus")} New channel</a
  >`;
  return work(here, {
    title: "Channels",
    at: "/channels",
    isWide: true,
    head: { title: "Channels", actions: create },
    content: html`${
      channels.length === 0
        ? empty(site, {
            icon: "message-square",
            title: "No channels yet",
            text: "A channel connects the location with e-mail, SMS or another service by which its contacts write.",
            action: create,
          })
        : table({
            caption: "Channels of the location, by kind",
            rows: channels.slice(0, most),
            columns: [
              {
                title: "Name",
                cell: ({ id, name }) =>
                  html`<a class="main" href="${here.to(`/channels/${id}`)}">${isolatedName(name)}</a>`,
              },
              { title: "State", cell: ({ status }) => channelState(here, status) },
              { title: "Kind", isNamed: true, cell: ({ kind }) => kindTexts[kind] },
              {
                title: "Address",
                folded: "wide",
                isNamed: true,
                cell: ({ address }) => (address === "" ? "-" : isolatedName(address)),
              },
              { title: "Sends by", folded: "wide", isNamed: true, cell: ({ transport }) => sendsBy(transport) },
            ],
          })
    }
    ${channels.length > most && html`<p class="foot">${channels.length - most} more; “crm channels list” lists all.</p>`}`,
  });
}

const channelStates = {
  active: { kind: "ok", text: "Active", icon: "check" },
  paused: { kind: "plain", text: "Paused", icon: "pause" },
  error: { kind: "danger", text: "Cannot send", icon: "triangle-alert" },
} as const satisfies Record<ChannelStatus, Parameters<typeof badge>[1]>;

function channelState({ site }: WorkView, status: ChannelStatus): Html {
  return badge(site, channelStates[status]);
}

function sendsBy(transport: string): string {
  return channelTransports.of(transport).title;
}

interface ChannelPage {
  readonly channel: ChannelSettingsView;
  /** Of the form that sends a test message. */
  readonly typed?: string;
  readonly faults?: FieldFaults;
}

export function channelPage(here: WorkView, { channel, typed = "", faults = {} }: ChannelPage): Html {
  const { site, formToken } = here;
  const path = here.to(`/channels/${channel.id}`);
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  const isActive = channel.status === "active";
  const isTestable = channelTransports.of(channel.transport).accepts === "queued" || channel.imap_url !== null;
  const testForm = html`<form class="form sections" method="post" action="${path}/test">
    ${token}
    ${field(site, {
      id: "to",
      label: "Send a test message to",
      autocomplete: "off",
      value: typed,
      hint: "An address or number of this kind. It is sent at once, without retries.",
      fault: faults["to"],
    })}
    <div class="buttons"><button class="button">${icon(site, "send")} Send test</button></div>
  </form>`;
  return work(here, {
    title: isolatedName(channel.name),
    at: "/channels",
    head: { title: "Channels", back: here.to("/channels") },
    content: html`
      <div class="page-head"><h1>${isolatedName(channel.name)}</h1></div>
      ${pairs([
        ["State", channelState(here, channel.status)],
        ["Error", channel.error],
        ["Kind", kindTexts[channel.kind]],
        ["Address", channel.address === "" ? null : isolatedName(channel.address)],
        ["Sends by", sendsBy(channel.transport)],
        ["Receives from", channel.imap_url],
        ["Created", day(here.zone, channel.created_at)],
      ])}
      <div class="buttons">
        <form method="post" action="${path}/status">
          ${token}<input type="hidden" name="status" value="${isActive ? "paused" : "active"}" />
          <button class="button">${icon(site, isActive ? "pause" : "play")} ${isActive ? "Pause" : "Resume"}</button>
        </form>
        <a class="button" href="${path}/rotate">Rotate inbound URL…</a>
      </div>
      <p class="hint">
        Its address, transport and mailbox are changed with <code>crm channels update ${channel.id}</code>.
      </p>
      ${faultNotice(site, faults)} ${isTestable && testForm}
    `,
  });
}

interface NewChannel {
  readonly typed: ChannelForm;
  readonly faults?: FieldFaults;
}

export function newChannelPage(here: WorkView, { typed, faults = {} }: NewChannel): Html {
  const { site } = here;
  const select = (
    name: string,
    label: string,
    chosen: string,
    choices: readonly (readonly [value: string, text: string])[],
  ) =>
    html`<div class="field">
      <div class="above"><label for="${name}">${label}</label></div>
      <select id="${name}" name="${name}">
        ${choices.map(
          ([value, text]) =>
            html`<option value="${value}" ${value === chosen && attributes`selected`}>${text}</option>`,
        )}
      </select>
    </div>`;
  return work(here, {
    title: "New channel",
    at: "/channels",
    head: { title: "Channels", back: here.to("/channels") },
    content: html`
      <div class="page-head">
        <h1>New channel</h1>
        <p>Its kind never changes. Its inbound URL is shown once.</p>
      </div>
      ${faultNotice(site, faults)}
      <form class="form sections" method="post" action="${here.to("/channels/new")}">
        <input type="hidden" name="form_token" value="${here.formToken}" />
        <input type="hidden" name="once" value="${typed.once}" />
        ${field(site, { id: "name", label: "Name", autocomplete: "off", value: typed.name, fault: faults["name"] })}
        ${select(
          "kind",
          "Kind",
          typed.kind,
          channelKinds.map((kind) => [kind, kindTexts[kind]]),
        )}
        ${field(site, {
          id: "address",
          label: "Address",
          autocomplete: "off",
          value: typed.address,
          hint: "The e-mail address or number of the location.",
          fault: faults["address"],
          isOptional: true,
        })}
        ${select(
          "transport",
          "Sends by",
          typed.transport,
          channelTransports.names.map((name) => [name, sendsBy(name)]),
        )}
        ${field(site, {
          id: "transport_url",
          label: "URL of the transport",
          autocomplete: "off",
          value: typed.transport_url,
          hint: "Such as smtps://desk@mail.example.com or https://gateway.example.com/send; none to only store messages.",
          fault: faults["transport_url"],
          isOptional: true,
        })}
        ${field(site, {
          id: "transport_secret",
          label: "Password or signing secret",
          autocomplete: "new-password",
          type: "password",
          hint: "Of the mail server or the gateway. It is stored encrypted. Without one, a signing secret is generated for http.",
          fault: faults["transport_secret"],
          isOptional: true,
        })}
        <div class="buttons">
          <button class="button primary">Create channel</button>
          <a class="button quiet" href="${here.to("/channels")}">Cancel</a>
        </div>
      </form>
    `,
  });
}

export function inboundUrlPage(here: WorkView, channel: OpenChannelView & Partial<NewChannelView>): Html {
  const done = here.to(`/channels/${channel.id}`);
  return work(here, {
    title: "Copy the inbound URL",
    at: "/channels",
    head: { title: "Channels", back: here.to("/channels") },
    content: html`
      <div class="page-head">
        <h1>Copy the inbound URL of ${isolatedName(channel.name)} now</h1>
        <p>Give it to the service that receives messages for you. It is a secret.</p>
      </div>
      ${pairs([
        ["Receipts URL", channel.receipts_url],
        ["Signing secret", channel.transport_secret],
      ])}
      ${secretOnce(here.site, { label: "Inbound URL", secret: channel.inbound_url, done })}
    `,
  });
}
