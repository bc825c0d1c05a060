/** The form of a channel: what was typed, and the input of its operation. */
import { z } from "zod";
import { channelTransports } from "../../../crm/channels/transports/all.ts";
import { channelKinds } from "../../../vocabulary/states.ts";
import type { ChannelKind } from "../../../vocabulary/states.ts";

export type TransportName = (typeof channelTransports.names)[number];

/** As typed. */
export interface ChannelForm {
  /** The one-time id of the form. */
  readonly once: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly address: string;
  readonly transport: TransportName;
  readonly transport_url: string;
  /** Never shown again. */
  readonly transport_secret: string;
}

export function emptyChannelForm(once: string): ChannelForm {
  return { once, name: "", kind: "email", address: "", transport: "log", transport_url: "", transport_secret: "" };
}

/** Unknown choices become the first one, as a browser without the field sends it. */
const kind = z.enum(channelKinds).catch("email");
const transport = z.enum(channelTransports.names).catch("log");

export function readChannelForm(fields: URLSearchParams): ChannelForm {
  const text = (name: string) => fields.get(name) ?? "";
  return {
    once: text("once"),
    name: text("name"),
    kind: kind.parse(fields.get("kind")),
    address: text("address"),
    transport: transport.parse(fields.get("transport")),
    transport_url: text("transport_url"),
    transport_secret: text("transport_secret"),
  };
}

export function toChannelInput({ name, kind: ofKind, address, transport: by, ...typed }: ChannelForm) {
  const filled = (text: string) => (text === "" ? null : text);
  return {
    name,
    kind: ofKind,
    address: address.trim(),
    transport: by,
    inbound_address: null,
    outbound_address: null,
    transport_url: filled(typed.transport_url.trim()),
    transport_secret: filled(typed.transport_secret),
  };
}
