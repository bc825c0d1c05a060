/** Stores pieces as objects of a bucket. Requests are signed with AWS Signature Version 4 and address the bucket by path. */
import { hash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import type { Bucket } from "../kit/input/bucket-url.ts";
import type { PieceStore } from "./blobs.ts";

export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Of a request with its retries, in milliseconds. */
const answerTime = 30_000;
/** After a response of 429 or 5xx; every request is idempotent. */
const retries = 2;

export function createS3Store({ name: bucket, prefix, endpoint, region }: Bucket, keys: BucketCredentials): PieceStore {
  const client = new AwsClient({ ...keys, region, service: "s3", retries });

  /** The content of the response; undefined if the object does not exist. */
  async function send(
    method: "GET" | "PUT" | "DELETE",
    name: string,
    { body, headers }: { readonly body?: Uint8Array<ArrayBuffer>; readonly headers?: Record<string, string> } = {},
  ): Promise<Uint8Array | undefined> {
    const [response, bytes] = await exchange(method, `${endpoint}/${bucket}/${prefix}${name}`, {
      headers: { "x-amz-content-sha256": hash("sha256", body ?? "", "hex"), ...headers },
      ...(body && { body }),
    });
    if (response.ok) return bytes;
    // The rest of the body may repeat the access key.
    const code = /<Code>(\w{1,64})<\/Code>/.exec(Buffer.from(bytes).toString())?.[1];
    if (code === "NoSuchBucket") throw new Error(`The bucket ${bucket} does not exist at ${endpoint}.`);
    if (code === "NoSuchKey" && method !== "PUT") return undefined;
    throw new Error(`${endpoint} refused to ${method} an object in the bucket ${bucket}: ${code ?? response.status}.`);
  }

  async function exchange(method: string, url: string, init: RequestInit): Promise<[Response, Uint8Array]> {
    try {
      const signal = AbortSignal.timeout(answerTime);
      const response = await client.fetch(url, { ...init, method, signal, redirect: "manual" });
      return [response, await response.bytes()];
    } catch (error) {
      // oxlint-disable-next-line preserve-caught-error -- its message may have the headers of the request
      throw new Error(`${endpoint} cannot be reached: ${reasonOf(error)}.`);
    }
  }

  return {
    async put(name, bytes) {
      await send("PUT", name, { body: bytes as Uint8Array<ArrayBuffer> });
    },
    get: (name) => send("GET", name),
    // A HEAD would not tell a missing object from a missing bucket.
    has: async (name) => (await send("GET", name, { headers: { range: "bytes=0-0" } })) !== undefined,
    async remove(name) {
      await send("DELETE", name);
    },
  };
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: NodeJS.ErrnoException };
  return name === "TimeoutError" ? `no response within ${answerTime / 1000} seconds` : (cause?.code ?? name ?? "Error");
}
