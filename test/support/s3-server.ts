/** A small S3 server with one bucket, which verifies the signature of each request. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { AwsV4Signer } from "aws4fetch";

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const region = "eu-test-1";

interface S3Server {
  readonly bucketUrl: string;
  readonly credentials: typeof keys;
  /** The settings of a service that stores its files here. */
  readonly environment: Readonly<Record<string, string>>;
  readonly objects: Map<string, Buffer>;
  /** Uploads in parts that were begun, and neither completed nor given up. */
  readonly uploads: Map<string, Buffer[]>;
  /** The method and path of every request. */
  readonly requests: string[];
  /** Fails the next requests with this status each. */
  failures: number[];
  /** Requests of these methods get no answer. */
  readonly unanswered: Set<string>;
  /** Closes the port until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  let port = 0;
  const server = createServer((request, response) => void serve(request, response));
  const start = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await start();
  ({ port } = server.address() as AddressInfo);
  const endpoint = `http://127.0.0.1:${port}`;
  const bucketUrl = `s3://files/crm/north?endpoint=${endpoint}&region=${region}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const body = await buffer(request);
    s3.requests.push(`${method} ${url}`);
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status)
        .end(`<Error><Code>${code}</Code><AWSAccessKeyId>${keys.accessKeyId}</AWSAccessKeyId></Error>`);
    if (s3.unanswered.has(method)) return;
    const failure = s3.failures.shift();
    if (failure) return void refuse(failure, "SlowDown");
    const code = await judgeSignature(request, `${endpoint}${url}`, body);
    if (code !== undefined) return void refuse(403, code);
    const { pathname, searchParams } = new URL(url, endpoint);
    const [, bucket, name = ""] = /^\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
    if (bucket !== "files") return void refuse(404, "NoSuchBucket");
    if (searchParams.size > 0) return void serveParts({ method, name, searchParams, body }, response);
    if (method === "PUT") s3.objects.set(name, body);
    if (method !== "GET") return void (method === "DELETE" && s3.objects.delete(name), response.writeHead(204).end());
    const object = s3.objects.get(name);
    if (object === undefined) return void refuse(404, "NoSuchKey");
    const isPart = request.headers.range === "bytes=0-0";
    response.writeHead(isPart ? 206 : 200).end(isPart ? object.subarray(0, 1) : object);
  }

  /** Lists, and uploads in parts; a list has two objects a page. */
  function serveParts({ method, name, searchParams, body }: PartRequest, response: ServerResponse): void {
    if (searchParams.has("list-type")) {
      const prefix = searchParams.get("prefix") ?? "";
      const after = searchParams.get("continuation-token") ?? "";
      const names = [...s3.objects.keys()].filter((each) => each.startsWith(prefix) && each > after).toSorted();
      const contents = names.slice(0, 2).map((each) => {
        const size = s3.objects.get(each)!.length;
        return `<Contents><Key>${each}</Key><LastModified>2026-03-01T12:00:00.000Z</LastModified><Size>${size}</Size></Contents>`;
      });
      const more = names.length > 2 ? `<NextContinuationToken>${names[1]}</NextContinuationToken>` : "";
      return void response.writeHead(200).end(`<ListBucketResult>${contents.join("")}${more}</ListBucketResult>`);
    }
    const upload = searchParams.get("uploadId") ?? `upload-${s3.requests.length}`;
    if (method === "POST" && searchParams.has("uploads")) {
      s3.uploads.set(upload, []);
      return void response.writeHead(200).end(`<Result><UploadId>${upload}</UploadId></Result>`);
    }
    const parts = s3.uploads.get(upload) ?? [];
    if (method === "PUT") {
      parts[Number(searchParams.get("partNumber")) - 1] = body;
      return void response.writeHead(200, { etag: `"${parts.length}"` }).end();
    }
    if (method === "POST") s3.objects.set(name, Buffer.concat(parts));
    s3.uploads.delete(upload);
    response.writeHead(method === "POST" ? 200 : 204).end();
  }

  const s3: S3Server = {
    bucketUrl,
    credentials: keys,
    environment: {
      CRM_BLOB_URL: bucketUrl,
      CRM_S3_ACCESS_KEY_ID: keys.accessKeyId,
      CRM_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    failures: [],
    unanswered: new Set(),
    start,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => s3.stop(),
  };
  return s3;
}

interface PartRequest {
  readonly method: string;
  readonly name: string;
  readonly searchParams: URLSearchParams;
  readonly body: Buffer;
}

/** The error code of S3 for a request that is not signed with the keys, or whose body is not the signed one. */
async function judgeSignature({ method, headers }: IncomingMessage, url: string, body: Buffer) {
  const { authorization = "" } = headers;
  if (!authorization.includes(`Credential=${keys.accessKeyId}/`)) return "InvalidAccessKeyId";
  if (headers["x-amz-content-sha256"] !== createHash("sha256").update(body).digest("hex"))
    return "XAmzContentSHA256Mismatch";
  const signed = (/SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? "").split(";");
  const signer = new AwsV4Signer({
    ...keys,
    method: method!,
    url,
    headers: signed.flatMap((name) => (name === "host" ? [] : [[name, String(headers[name])] as [string, string]])),
    service: "s3",
    region,
    datetime: String(headers["x-amz-date"]),
  });
  return (await signer.authHeader()) === authorization ? undefined : "SignatureDoesNotMatch";
}
