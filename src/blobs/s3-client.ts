/** Requests to an S3 bucket: signed with AWS Signature Version 4, addressed by path, and repeated where the server is busy. */
import { hash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import type { Bucket } from "../kit/input/bucket-url.ts";

export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Of a request with its retries, in milliseconds. */
const answerTime = 30_000;
/** After a response of 429 or 5xx; every request is idempotent. */
const retries = 2;

interface S3Request {
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  readonly query?: Readonly<Record<string, string>>;
  /** Ends it before the response. */
  readonly signal?: AbortSignal;
}

interface S3Response {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/** An object of the bucket; its name is without the prefix of the bucket's URL. */
export interface BucketObject {
  readonly name: string;
  readonly changedAt: Date;
  readonly bytes: number;
}

export interface S3Client {
  /** The response; undefined if the object does not exist. */
  send(method: "GET" | "PUT" | "DELETE" | "POST", name: string, request?: S3Request): Promise<S3Response | undefined>;
  /** Every object below the prefix, in the order of names. */
  list(): AsyncGenerator<BucketObject>;
}

export function createS3Client({ name: bucket, prefix, endpoint, region }: Bucket, keys: BucketCredentials): S3Client {
  const client = new AwsClient({ ...keys, region, service: "s3", retries });

  async function request(
    method: string,
    path: string,
    { body, headers, query = {}, signal }: S3Request = {},
  ): Promise<S3Response | undefined> {
    const parameters = new URLSearchParams(query).toString();
    const url = `${endpoint}/${bucket}/${path}${parameters === "" ? "" : `?${parameters}`}`;
    const [response, bytes] = await exchange(method, url, {
      headers: { "x-amz-content-sha256": hash("sha256", body ?? "", "hex"), ...headers },
      ...(body && { body }),
      ...(signal && { signal }),
    });
    if (response.ok) return { bytes, headers: response.headers };
    // The rest of the body may repeat the access key.
    const code = /<Code>(\w{1,64})<\/Code>/.exec(Buffer.from(bytes).toString())?.[1];
    if (code === "NoSuchBucket") throw new Error(`The bucket ${bucket} does not exist at ${endpoint}.`);
    if (code === "NoSuchKey" && method !== "PUT") return undefined;
    throw new Error(`${endpoint} refused to ${method} an object in the bucket ${bucket}: ${code ?? response.status}.`);
  }

  async function exchange(method: string, url: string, init: RequestInit): Promise<[Response, Uint8Array]> {
    try {
      const timeout = AbortSignal.timeout(answerTime);
      const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
      const response = await client.fetch(url, { ...init, method, signal, redirect: "manual" });
      return [response, await response.bytes()];
    } catch (error) {
      // oxlint-disable-next-line preserve-caught-error -- its message may have the headers of the request
      throw new Error(`${endpoint} cannot be reached: ${reasonOf(error)}.`);
    }
  }

  return {
    send: (method, name, options) => request(method, `${prefix}${name}`, options),
    async *list() {
      for (let next: string | undefined = ""; next !== undefined;) {
        const query = { "list-type": "2", prefix, ...(next !== "" && { "continuation-token": next }) };
        const found: S3Response | undefined = await request("GET", "", { query });
        const page = Buffer.from(found?.bytes ?? []).toString();
        for (const [, content = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const member = (name: string): string => new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(content)?.[1] ?? "";
          const name = unescape(member("Key")).slice(prefix.length);
          yield { name, changedAt: new Date(member("LastModified")), bytes: Number(member("Size")) };
        }
        const token = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/s.exec(page)?.[1];
        next = token === undefined ? undefined : unescape(token);
      }
    },
  };
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescape(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name]!);
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: NodeJS.ErrnoException };
  return name === "TimeoutError" ? `no response within ${answerTime / 1000} seconds` : (cause?.code ?? name ?? "Error");
}
