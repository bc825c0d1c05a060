/** What of a channel is printed for whoever carries its messages, and for nobody else. */

interface ChannelSecrets {
  readonly inbound_url: string;
  readonly receipts_url?: string | undefined;
  readonly transport_secret?: string | undefined;
}

/** Goes on after what says that the channel takes messages in. */
export function channelSecrets({
  inbound_url: inbound,
  receipts_url: receipts,
  transport_secret: secret,
}: ChannelSecrets): string {
  const lines = [inbound];
  if (receipts !== undefined) lines.push("and what became of messages that went out at:", receipts);
  if (secret !== undefined) lines.push(signingSecret(secret));
  return lines.join("\n");
}

export function signingSecret(secret: string): string {
  return `The secret that signs what the gateway is sent is shown this once:\n${secret}`;
}
