/** The secret of a transport: a password, or a signing secret. It is stored encrypted, bound to its row. */
import { randomBytes } from "node:crypto";
import type { Tools } from "../../../events/caller.ts";

/** 32 random bytes in base64url, in the form of webhook secrets, which sign in the same way. */
export function mintTransportSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

export function sealTransportSecret({ vault }: Pick<Tools, "vault">, channelId: number, secret: string): string {
  return vault.seal(secret, transportSecretContext(channelId));
}

export function openTransportSecret(
  { vault }: { readonly vault: Pick<Tools["vault"], "open"> },
  channelId: number,
  sealed: string,
): string {
  return vault.open(sealed, transportSecretContext(channelId));
}

export function transportSecretContext(channelId: number): string {
  return `channels.transport_secret ${channelId}`;
}
