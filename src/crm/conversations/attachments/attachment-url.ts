/** The signed URLs of attachments: no credential is needed, until they expire. */
import type { Tools } from "../../../events/caller.ts";
import { limits } from "../../../vocabulary/limits.ts";

const longestName = 40;
/** At the least. */
const validSeconds = limits.attachmentUrlSeconds;

interface LinkedAttachment {
  readonly id: number;
  readonly location_id: number;
  readonly name: string;
}

export function attachmentUrl(
  attachment: LinkedAttachment,
  { clock, links, signedIds }: Pick<Tools, "clock" | "links" | "signedIds">,
): string {
  // On a full hour, the next but one: the URL, and so the ETag of the conversation, stays the same for an hour.
  const expires = (Math.floor(clock.now().getTime() / 1000 / validSeconds) + 2) * validSeconds;
  const signature = signedIds.sign(purposeOf(attachment, expires), attachment.id);
  const query = `expires=${expires}&signature=${signature}`;
  return links.to(`/attachments/${attachment.id}/${shortName(attachment.name)}?${query}`);
}

/** The name that the path shows, which nothing depends on. */
function shortName(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/[^\w.-]+/g, "_");
  return plain.length <= longestName ? plain : plain.slice(-longestName);
}

/** Whether the URL of `attachment` with these parameters was issued here and has not expired. */
export function isSignedUrl(
  attachment: Pick<LinkedAttachment, "id" | "location_id">,
  query: URLSearchParams,
  { clock, signedIds }: Pick<Tools, "clock" | "signedIds">,
): boolean {
  const [expires, signature] = [query.get("expires") ?? "", query.get("signature") ?? ""];
  if (!/^[1-9]\d{0,11}$/.test(expires) || Number(expires) * 1000 <= clock.now().getTime()) return false;
  return signedIds.verify(purposeOf(attachment, Number(expires)), signature) === attachment.id;
}

function purposeOf({ location_id }: Pick<LinkedAttachment, "location_id">, expires: number): string {
  return `attachment of location ${location_id} until ${expires}`;
}
