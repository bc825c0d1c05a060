/** The bearer token in a channel's inbound URL: stored encrypted, and looked up by its hash. */
import type { Tools } from "../../events/caller.ts";
import { hashSecret, mintSecret } from "../../kit/secrets/secret.ts";
import type { Transport } from "./transports/transports.ts";

/** The stored form of a token. */
interface StoredToken {
  readonly inboundHash: string;
  readonly inboundToken: string;
}

/** Generates a token; returns it with its stored form. */
export function mintInboundToken({ vault }: Pick<Tools, "vault">): { token: string; stored: StoredToken } {
  const token = mintSecret("crm_in_");
  const inboundHash = hashSecret(token);
  return { token, stored: { inboundHash, inboundToken: vault.seal(token, inboundTokenContext(inboundHash)) } };
}

/** The token of a stored row. */
export function openInboundToken({ vault }: Pick<Tools, "vault">, { inboundHash, inboundToken }: StoredToken): string {
  return vault.open(inboundToken, inboundTokenContext(inboundHash));
}

/** The URL that accepts inbound messages of a channel. */
export function inboundUrl({ links }: Pick<Tools, "links">, token: string): string {
  return links.to(`/inbound/${token}`);
}

/** The receipts URL, for a channel whose transport reports deliveries. */
export function receiptsOf(
  { links }: Pick<Tools, "links">,
  transport: Transport,
  token: string,
): { receipts_url?: string } {
  const hasReceipts = transport.accepts === "queued" && transport.reportsReceipts;
  return hasReceipts ? { receipts_url: links.to(`/receipts/${token}`) } : {};
}

/** The associated data of the encryption: a sealed token is valid only in the row with its hash. */
export function inboundTokenContext(inboundHash: string): string {
  return `channels.inbound_token ${inboundHash}`;
}
