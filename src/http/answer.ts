/** An answer on its way out: its status, its body as text, its headers. */
export interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly headers: Record<string, string>;
}

/** An answer whose body is JSON. `text` is that JSON. */
export function jsonAnswer(status: number, text: string | null, headers: Record<string, string> = {}): Answer {
  if (text === null) return { status, body: null, headers };
  return { status, body: text, headers: { ...headers, "content-type": "application/json; charset=utf-8" } };
}
