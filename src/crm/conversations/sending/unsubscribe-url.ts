/** The URL in `List-Unsubscribe` of a mail. Its token names the message, so that it stays valid when contacts are merged; it never expires. */
import type { Tools } from "../../../events/caller.ts";

const purpose = "unsubscribe";

export function unsubscribeUrl({ links, signedIds }: Pick<Tools, "links" | "signedIds">, messageId: number): string {
  return links.to(`/unsubscribe/${signedIds.sign(purpose, messageId)}`);
}

/** The message of a token; undefined for a forged one. */
export function readUnsubscribeToken({ signedIds }: Pick<Tools, "signedIds">, token: string): number | undefined {
  return signedIds.verify(purpose, token);
}
