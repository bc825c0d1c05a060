/** Downloads of attachments by their signed URLs, without a credential. */
import { Readable } from "node:stream";
import type { Blobs, ByteRange } from "../../../blobs/blobs.ts";
import type { Tools } from "../../../events/caller.ts";
import { requireLeft } from "../../../http/budget/rate-limit.ts";
import type { RateLimiter } from "../../../http/budget/rate-limit.ts";
import type { HttpResponse } from "../../../http/http-response.ts";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import { findKnownTag, readPreconditions } from "../../../http/request/preconditions.ts";
import { route } from "../../../http/route.ts";
import type { Route } from "../../../http/route.ts";
import { toId } from "../../../kit/input/id.ts";
import type { Rows } from "../../../storage/rows.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { readContent } from "./attachment.content.ts";
import { shownType } from "./attachment-file.ts";
import { isSignedUrl } from "./attachment-url.ts";
import { findStoredAttachment } from "./attachment.queries.ts";
import type { AttachmentRow } from "./attachment.view.ts";
import { readRange } from "./byte-range.ts";

export interface AttachmentDeps {
  readonly rows: Rows;
  readonly tools: Pick<Tools, "clock" | "signedIds">;
  readonly blobs: Blobs;
  /** Counts an invalid URL of an IP address. */
  readonly limitFailures: RateLimiter;
}

/** The first bytes, by which a type is recognized. */
const sniffedBytes = 512;

const kept = { "cache-control": "private, max-age=3600, immutable" };

export function attachmentRoutes({ rows, tools, blobs, limitFailures }: AttachmentDeps): Route[] {
  /** The attachment of a URL that was issued here and is still valid. */
  async function admit(request: IncomingRequest): Promise<AttachmentRow> {
    const id = toId(request.parameters["id"]);
    const found = id === undefined ? undefined : await findStoredAttachment(rows, id);
    if (found !== undefined && isSignedUrl(found, request.query, tools)) return found;
    requireLeft(await limitFailures(request.address));
    throw new Refusal("attachment_link_invalid");
  }

  return [
    route({
      method: "GET",
      path: "/attachments/{id}/{name}",
      summary: "Downloads an attachment.",
      async serve(request) {
        const attachment = await admit(request);
        const etag = `"${attachment.sha256}"`;
        const preconditions = readPreconditions(request);
        const known = preconditions && findKnownTag(preconditions, etag);
        if (known !== undefined) return { status: 304, body: null, headers: { etag: known, ...kept } };
        // Of GET alone (RFC 9110, 14.2).
        const asked = request.method === "GET" ? request.header("range") : undefined;
        const range = readRange(asked, request.header("if-range"), etag, attachment.size);
        const type = await readShownType(blobs, attachment);
        return toDownload(blobs, attachment, { etag, range, type });
      },
    }),
  ];
}

async function readShownType(blobs: Blobs, attachment: AttachmentRow): Promise<string | undefined> {
  const end = Math.min(sniffedBytes, attachment.size) - 1;
  const { value } = await readContent(blobs, attachment, { start: 0, end }).next();
  return shownType(attachment.content_type, value ?? new Uint8Array());
}

interface Download {
  readonly etag: string;
  readonly range: ByteRange | undefined;
  /** Undefined: browsers must not show it. */
  readonly type: string | undefined;
}

function toDownload(blobs: Blobs, attachment: AttachmentRow, { etag, range, type }: Download): HttpResponse {
  const { name, content_type, size } = attachment;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      "content-type": type ?? content_type,
      "content-length": String(end - start + 1),
      "content-disposition": `${type === undefined ? "attachment" : "inline"}; ${toNameParameters(name)}`,
      ...(range === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` }),
      "accept-ranges": "bytes",
      etag,
      ...kept,
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
    body: Readable.from(readContent(blobs, attachment, { start, end }), { objectMode: false }),
  };
}

/** In ASCII for old clients, and in full (RFC 6266). */
function toNameParameters(name: string): string {
  const ascii = name.replaceAll(/[^ -~]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
