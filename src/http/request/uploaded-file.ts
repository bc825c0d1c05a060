/** Reads an uploaded file as a stream: the whole body, or the one part of a multipart form. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BusboyInstance } from "@fastify/busboy";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { streamBody } from "./body.ts";

export interface UploadedFile {
  readonly content: AsyncIterable<Uint8Array>;
  /** The file name of the part; undefined for a whole body. */
  readonly name: string | undefined;
  readonly contentType: string | undefined;
}

/** In bytes: the boundaries of a form, and the headers of its part. */
const formBytes = 16_384;

/** In milliseconds. */
const longestUnjudged = 1000;

/**
 * Resolves once the content begins. Refuses `payload_too_large` beyond `limit` bytes and, at the latest at the end of the content, a form that
 * has another part or is incomplete. `judge` may refuse the rest: every second, since a slow file outlives what allowed it, and at the end.
 */
export async function openUpload(
  message: IncomingMessage,
  limit: number,
  judge: () => Promise<void>,
): Promise<UploadedFile> {
  const file = await open(message, limit);
  return { ...file, content: judgeWhileArriving(file.content, judge) };
}

async function* judgeWhileArriving(
  content: AsyncIterable<Uint8Array>,
  judge: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let judged = performance.now();
  for await (const chunk of content) {
    if (performance.now() - judged > longestUnjudged) {
      await judge();
      judged = performance.now();
    }
    yield chunk;
  }
  await judge();
}

async function open(message: IncomingMessage, limit: number): Promise<UploadedFile> {
  const type = message.headers["content-type"];
  if (type === undefined || !/^\s*multipart\/form-data\s*(;|$)/i.test(type))
    return { content: streamBody(message, limit), name: undefined, contentType: type };
  return openPart(streamBody(message, limit + formBytes, { isForm: true }), type, limit);
}

async function openPart(body: Readable, contentType: string, limit: number): Promise<UploadedFile> {
  const { Busboy } = await import("@fastify/busboy");
  const opened = Promise.withResolvers<UploadedFile>();
  let form: BusboyInstance;
  try {
    form = new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: 1, files: 1, fields: 0, fileSize: limit, headerPairs: 20, headerSize: formBytes / 2 },
    });
  } catch {
    throw malformed(); // without a boundary
  }
  let refusal: Error | undefined;
  /** A body that has already ended takes no error any more, so it is thrown at the end as well. */
  function refuse(error: Error): void {
    refusal ??= error;
    body.destroy(error);
  }
  async function parse(): Promise<void> {
    try {
      await pipeline(body, form);
    } catch (error) {
      throw error instanceof Refusal || error instanceof Invalid ? error : malformed();
    }
    if (refusal !== undefined) throw refusal;
  }
  const parsed = parse();
  for (const event of ["partsLimit", "fieldsLimit"] as const) form.on(event, () => refuse(malformed()));
  form.on("file", (_field, part, name, _encoding, partType) => {
    part.on("limit", () => refuse(new Refusal("payload_too_large")));
    part.on("error", () => {}); // read below
    parsed.catch((error: Error) => part.destroy(error));
    opened.resolve({ content: readPart(part, parsed), name, contentType: partType });
  });
  parsed.then(() => opened.reject(malformed()), opened.reject);
  return opened.promise;
}

/** Ends once the whole form is valid. */
async function* readPart(part: Readable, parsed: Promise<unknown>): AsyncGenerator<Uint8Array> {
  try {
    yield* part as AsyncIterable<Buffer>;
  } catch (error) {
    await parsed;
    throw error;
  }
  await parsed;
}

function malformed(): Invalid {
  return new Invalid({ file: ["The form must have one part, a file with a name."] });
}
