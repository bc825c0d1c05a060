/** Decodes the bytes of a CSV file, and locates invalid ones. */

/** The default encoding, which every spreadsheet can write. */
export const usualEncoding = "utf-8";

const nothing: Buffer = Buffer.alloc(0);

/** Whether an encoding of this name exists. */
export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}

/** Decodes a file chunk by chunk, and tracks the average bytes per character. */
export class Decoded {
  readonly #file: AsyncIterable<Buffer>;
  readonly #encoding: string;
  #characters = 0;
  #bytes = 0;
  #lines = 1;

  constructor(file: AsyncIterable<Buffer>, encoding: string) {
    this.#file = file;
    this.#encoding = encoding;
  }

  get bytesPerCharacter(): number {
    return this.#characters === 0 ? 1 : this.#bytes / this.#characters;
  }

  async *chunks(): AsyncGenerator<string, undefined> {
    let decoder: Decoder | undefined;
    const count = (text: string, bytes: number): string => {
      this.#bytes += bytes;
      this.#characters += text.length;
      return text;
    };
    // Fatal: otherwise characters of another encoding would be lost silently.
    const decoderOf = (bytes: Buffer) => new TextDecoder(utf16Of(bytes) ?? this.#encoding, { fatal: true });
    let begun = nothing;
    for await (const chunk of this.#file) {
      // A pipe may deliver a single byte, too short to detect a byte order mark.
      const bytes = Buffer.concat([begun, chunk]);
      begun = bytes.length < 2 && decoder === undefined ? bytes : nothing;
      if (begun !== nothing) continue;
      decoder ??= decoderOf(bytes);
      const text = count(this.#decode(decoder, bytes), bytes.length);
      this.#lines += linesIn(text);
      if (text !== "") yield text;
    }
    decoder ??= decoderOf(begun);
    const rest = count(this.#decode(decoder, begun) + this.#decode(decoder), begun.length);
    if (rest !== "") yield rest;
    return undefined;
  }

  #decode(decoder: Decoder, chunk?: Buffer): string {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      const [before = ""] = new TextDecoder(decoder.encoding).decode(chunk).split("\uFFFD", 1);
      throw new WrongEncoding(decoder.encoding, this.#lines + linesIn(before));
    }
  }
}

type Decoder = InstanceType<typeof TextDecoder>;

/** Invalid bytes for the encoding, with their line. */
export class WrongEncoding extends Error {
  readonly encoding: string;
  readonly line: number;
  constructor(encoding: string, line: number) {
    super(`not ${encoding}`);
    this.encoding = encoding;
    this.line = line;
  }
}

function linesIn(text: string): number {
  let lines = 0;
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) lines += 1;
  return lines;
}

/** Detects UTF-16 ("Unicode text" in spreadsheets) by its byte order mark, or without one by a Latin first letter. */
function utf16Of([first, second]: Buffer): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return undefined;
}
