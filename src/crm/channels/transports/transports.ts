/** A transport is one object: the channels that it serves, its checks, its sender, and its texts. transports/all.ts lists those of the product. */
import type { Reader } from "../../../events/caller.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Outside } from "../../../outbound/outside.ts";
import type { ChannelKind } from "../../../vocabulary/states.ts";
import type { TransportSender } from "./transport.ts";

/** The fields of a channel on which its transport depends. */
export interface ChannelConfiguration {
  readonly kind: ChannelKind;
  readonly address: string;
  readonly inboundAddress?: string | null;
  readonly outboundAddress?: string | null;
  readonly url: string | null;
  /** Unsealed. */
  readonly secret: string | null;
}

/** Validation errors of a channel by field, each without its subject: "must be a valid https:// address." */
export type ChannelFaults = Partial<Record<"address" | "transport_url" | "transport_secret", string>>;

export interface SenderDeps {
  readonly outside: Outside;
  readonly clock: Clock;
}

interface DescribedTransport {
  /** The value of a channel's `transport`. */
  readonly name: string;
  /** The kinds of channels that it can serve; null: all. */
  readonly kinds: readonly ChannelKind[] | null;
  /** Where messages go, for pages, such as "Mail server (SMTP)". */
  readonly title: string;
  /** Where messages go, for docs/channels.md, such as "a mail server". */
  readonly about: string;
  /** The same for the help of the terminal, such as "uses a mail server". */
  readonly summary: string;
}

/** Stores messages and sends them nowhere: they are `sent` with the commit. It has neither URL nor secret. */
interface StoringTransport extends DescribedTransport {
  readonly accepts: "sent";
}

/** Sends over a network after the commit; until then messages are `queued`. */
export interface NetworkTransport extends DescribedTransport {
  readonly accepts: "queued";
  /** The forms of its URL, for the help of the terminal, such as "smtps://USER@HOST". */
  readonly urlForms: readonly string[];
  /** `password`: of the user that the URL names. `signing`: signs requests, and is generated where none is given. */
  readonly secret: "none" | "password" | "signing";
  /** The secret, for the help of the terminal, such as "the mail server's password". */
  readonly secretSummary?: string;
  /** Whether its server reports deliveries at the channel's receipts URL. */
  readonly reportsReceipts: boolean;
  /** Checks the URL, the secret and what else the transport needs of a channel of one of its kinds. */
  faultsOf(channel: ChannelConfiguration): ChannelFaults;
  /**
   * Checks whether `reader` may use this URL: returns the error without its subject, or undefined if the URL is allowed or is not one of
   * this transport. Runs before the change, since it resolves host names.
   */
  judge(reader: Reader, outside: Outside, url: string): Promise<string | undefined>;
  /** Opens the connections; the module that sends is loaded only then. */
  open(deps: SenderDeps): Promise<TransportSender>;
}

export type Transport = StoringTransport | NetworkTransport;

export interface Transports {
  readonly all: readonly Transport[];
  readonly names: readonly string[];
  /** Throws for a name that is not in the list: no channel has one. */
  of(name: string): Transport;
}

export function createTransports(all: readonly Transport[]): Transports {
  const byName = new Map(all.map((transport) => [transport.name, transport]));
  return {
    all,
    names: [...byName.keys()],
    of(name) {
      const found = byName.get(name);
      if (found === undefined) throw new Error(`there is no transport ${name}`);
      return found;
    },
  };
}
