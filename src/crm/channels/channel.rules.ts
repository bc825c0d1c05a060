/** Checks that the kind, the addresses and the transport of a channel fit together. */
import { isEmailAddress } from "../../kit/input/email-address.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import type { ChannelConfiguration, Transport } from "./transports/transports.ts";

/** Refuses invalid fields of a channel. The target is checked before the change (transport-target.ts). */
export function refuseFaults(channel: ChannelConfiguration, transport: Transport): void {
  const errors: FieldErrors = { ...faultsOfAddresses(channel), ...faultsOfTransport(channel, transport) };
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

function faultsOfTransport(channel: ChannelConfiguration, transport: Transport): FieldErrors {
  const { name, kinds } = transport;
  if (kinds !== null && !kinds.includes(channel.kind))
    return { transport: [`The transport ${name} is for ${kinds.join(", ")} channels alone.`] };
  const { url, secret } = channel;
  const hasNone = `is for transports that have one; ${name} has none.`;
  const isStoring = transport.accepts === "sent";
  const faults = {
    ...(isStoring && url !== null ? { transport_url: hasNone } : {}),
    ...((isStoring || transport.secret === "none") && secret !== null ? { transport_secret: hasNone } : {}),
    ...(!isStoring && url === null ? { transport_url: `is required for the transport ${name}.` } : {}),
    ...(isStoring ? {} : transport.faultsOf(channel)),
  };
  return Object.fromEntries(
    Object.entries(faults).map(([field, predicate]) => [
      field,
      [`The ${field.replaceAll("_", " ")} field ${predicate}`],
    ]),
  );
}
