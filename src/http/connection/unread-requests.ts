/** Answers what Node refuses before it is a request as everything else is answered: an error in JSON under a request id. */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { Refusal } from "../../vocabulary/errors.ts";
import type { RefusalCode } from "../../vocabulary/errors.ts";
import { refusalAnswer } from "../failures.ts";

/** What is answered on a connection that Node cannot read on. */
export interface UnreadAnswer {
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

/** The answer to a `clientError` of Node's server; undefined where the connection is broken and nobody reads one. */
export function toUnreadAnswer(error: unknown): UnreadAnswer | undefined {
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
