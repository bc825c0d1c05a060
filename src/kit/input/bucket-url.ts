/** The URL of a bucket: s3://BUCKET/PREFIX?endpoint=…&region=…, without credentials. */

export interface Bucket {
  readonly name: string;
  /** The prefix of every object name: empty, or with a trailing slash. */
  readonly prefix: string;
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
}

/** Undefined for a URL with credentials, or with unknown or repeated parameters. */
export function readBucketUrl(text: string): Bucket | undefined {
  const url = text.startsWith("s3://") && !/[\s#]/.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== "" || url.password !== "" || url.port !== "") return undefined;
  const { endpoint, region = "us-east-1", ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0 || new Set(url.searchParams.keys()).size < url.searchParams.size) return undefined;
  const path = url.pathname.replaceAll(/^\/+|\/+$/g, "");
  const isBucket = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(url.hostname);
  if (!isBucket || !/^([\w.-]+(\/[\w.-]+)*)?$/.test(path) || !/^[a-z\d-]{1,63}$/.test(region)) return undefined;
  const server = endpoint === undefined ? `https://s3.${region}.amazonaws.com` : readEndpoint(endpoint);
  if (server === undefined) return undefined;
  return { name: url.hostname, prefix: path === "" ? "" : `${path}/`, endpoint: server, region };
}

function readEndpoint(text: string): string | undefined {
  const url = /^https?:\/\/[^?#@]+$/.test(text) ? URL.parse(text) : null;
  return url?.href.replace(/\/+$/, "");
}
