/** What fits together in a channel: its kind, its addresses and its transport. */
import { isEmailAddress } from "../../kit/input/email-address.ts";
import { readSmtpServer } from "../../mail/smtp-server.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import type { ChannelKind } from "../../vocabulary/states.ts";
import { transports } from "./transports/transports.ts";
import type { TransportName } from "./transports/transports.ts";

interface ChannelConfiguration {
  readonly kind: ChannelKind;
  readonly address: string;
  readonly inboundAddress?: string | null;
  readonly outboundAddress?: string | null;
  readonly transport: TransportName;
  readonly url: string | null;
  /** Opened. */
  readonly secret: string | null;
}

/** Refuses, each on its field, what does not fit. Whether a gateway's URL is public is judged before, since it asks name servers. */
export function refuseFaults(channel: ChannelConfiguration): void {
  const errors: FieldErrors = { ...faultsOfAddresses(channel), ...faultsOfTransport(channel) };
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

function faultsOfAddresses({
  kind,
  address,
  inboundAddress = null,
  outboundAddress = null,
}: ChannelConfiguration): FieldErrors {
  const errors: FieldErrors = {};
  const given = {
    address: address === "" ? null : address,
    inbound_address: inboundAddress,
    outbound_address: outboundAddress,
  };
  for (const [field, value] of Object.entries(given)) {
    if (value === null) continue;
    const label = field.replaceAll("_", " ");
    if (kind !== "email" && field !== "address") errors[field] = [`The ${label} field is for email channels alone.`];
    if (kind === "email" && !isEmailAddress(value))
      errors[field] = [`The ${label} field must be a valid email address.`];
  }
  return errors;
}

function faultsOfTransport({
  kind,
  address,
  outboundAddress,
  transport,
  url,
  secret,
}: ChannelConfiguration): FieldErrors {
  const { kinds, secret: secretKind } = transports[transport];
  if (kinds !== null && !kinds.includes(kind))
    return { transport: [`The transport ${transport} is for ${kinds.join(", ")} channels alone.`] };
  const errors: FieldErrors = {};
  const refuse = (field: string, predicate: string): void => {
    errors[field] = [`The ${field.replaceAll("_", " ")} field ${predicate}`];
  };
  if (secretKind === "none") {
    if (url !== null) refuse("transport_url", `is for transports that have one; ${transport} has none.`);
    if (secret !== null) refuse("transport_secret", `is for transports that have one; ${transport} has none.`);
    return errors;
  }
  if (url === null) refuse("transport_url", `is required for the transport ${transport}.`);
  if (transport === "http" && url !== null && !/^https?:\/\//i.test(url))
    refuse("transport_url", "must be a valid https:// address.");
  if (transport !== "smtp") return errors;
  if (address === "" && (outboundAddress ?? null) === null)
    refuse("address", "is required for the transport smtp: mail is sent from it.");
  const server = url === null ? null : readSmtpServer(url);
  if (typeof server === "string") refuse("transport_url", server);
  else if (server !== null && server.user !== null && secret === null)
    refuse("transport_secret", "is required: the URL names a user, and this is its password.");
  else if (server !== null && server.user === null && secret !== null)
    refuse("transport_url", "must name the user whose password was given: smtps://USER@HOST.");
  return errors;
}
