/** Uploads a stream as one object of a bucket, part by part: the object appears when all of it is there. */
import type { S3Client } from "../../blobs/s3-client.ts";
import { toPieces } from "../../blobs/pieces.ts";

/** Of a part: S3 takes 5 MiB to 5 GiB, and 10,000 parts. */
const partBytes = 8 * 2 ** 20;
const mostParts = 10_000;

/** Resolves to the size in bytes. After a failure the parts are removed. */
export async function uploadObject(
  client: S3Client,
  name: string,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const begun = await client.send("POST", name, { query: { uploads: "" }, signal });
  const upload = memberOf(begun?.bytes, "UploadId");
  if (upload === undefined) throw new Error(`The bucket did not begin the upload of ${name}.`);
  const tags: string[] = [];
  let size = 0;
  try {
    for await (const piece of toPieces(source, partBytes)) {
      signal.throwIfAborted();
      if (tags.length === mostParts)
        throw new Error(`${name} is larger than ${(mostParts * partBytes) / 2 ** 30} GiB.`);
      const query = { partNumber: String(tags.length + 1), uploadId: upload };
      const sent = await client.send("PUT", name, { query, body: piece as Uint8Array<ArrayBuffer>, signal });
      tags.push(sent?.headers.get("etag") ?? "");
      size += piece.length;
    }
    signal.throwIfAborted();
    const parts = tags.map((tag, place) => `<Part><PartNumber>${place + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    const completed = await client.send("POST", name, { query: { uploadId: upload }, body: new Uint8Array(body) });
    // S3 reports a late failure with the status 200.
    const code = memberOf(completed?.bytes, "Code");
    if (code !== undefined) throw new Error(`The bucket did not complete the upload of ${name}: ${code}.`);
    return size;
  } catch (error) {
    await client.send("DELETE", name, { query: { uploadId: upload } }).catch(() => {});
    throw error;
  }
}

function memberOf(bytes: Uint8Array | undefined, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(Buffer.from(bytes ?? []).toString())?.[1];
}
