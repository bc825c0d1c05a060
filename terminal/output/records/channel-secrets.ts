/** The secrets of a channel, for its provider only. */

interface ChannelSecrets {
  readonly inbound_url: string;
  readonly receipts_url?: string | undefined;
  readonly transport_secret?: string | undefined;
}

/** Continues the line that introduces the inbound URL. */
export function channelSecrets({
  inbound_url: inbound,
  receipts_url: receipts,
  transport_secret: secret,
}: ChannelSecrets): string {
  const lines = [inbound];
  if (receipts !== undefined) lines.push("and its receipts URL:", receipts);
  if (secret !== undefined) lines.push(signingSecret(secret));
  return lines.join("\n");
}

export function signingSecret(secret: string): string {
  return `The signing secret for the gateway is shown only once:\n${secret}`;
}
