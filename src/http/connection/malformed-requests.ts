/** Responds to input that Node's parser rejects like to any request: JSON with a request ID. */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { Refusal } from "../../vocabulary/errors.ts";
import type { RefusalCode } from "../../vocabulary/errors.ts";
import { refusalAnswer } from "../failures.ts";

/** The response on a connection that cannot be parsed further. */
export interface MalformedRequestAnswer {
  readonly code: RefusalCode;
  readonly status: number;
  readonly requestId: string;
  /** Status line, headers and body. */
  readonly bytes: string;
}

const codes: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "payload_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** The response to a `clientError` of Node's server; undefined if the connection is broken. */
export function toMalformedRequestAnswer(error: unknown): MalformedRequestAnswer | undefined {
  const name = error instanceof Error && "code" in error ? String(error.code) : "";
  const code = codes[name] ?? (name.startsWith("HPE_") ? "bad_request" : undefined);
  if (code === undefined) return undefined;
  const requestId = randomUUID();
  const { status, body, headers } = refusalAnswer(new Refusal(code), requestId);
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "x-request-id": requestId,
    "content-length": String(Buffer.byteLength(body ?? "")),
  }).map(([header, value]) => `${header}: ${value}\r\n`);
  return {
    code,
    status,
    requestId,
    bytes: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${String(body)}`,
  };
}
