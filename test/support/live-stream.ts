/** A client of a live stream, as a browser's EventSource is one. */
import type { Person } from "./person.ts";

export interface LiveClient extends AsyncDisposable {
  readonly status: number;
  readonly location: string | null;
  /** All that came so far. */
  received(): string;
  /** Resolves when what came matches. Rejects after `patience` milliseconds. */
  until(pattern: RegExp, patience?: number): Promise<string>;
  /** Resolves when the server has ended the stream. */
  ended(patience?: number): Promise<void>;
}

export async function openLive(
  url: string,
  path: string,
  { cookies }: Pick<Person, "cookies">,
  headers: Readonly<Record<string, string>> = {},
): Promise<LiveClient> {
  const stop = new AbortController();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(url + path, {
    redirect: "manual",
    signal: stop.signal,
    headers: { accept: "text/event-stream", cookie, ...headers },
  });
  let text = "";
  let isEnded = false;
  let changed = Promise.withResolvers<void>();
  const notify = (): void => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const reading = (async () => {
    try {
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        text += piece;
        notify();
      }
    } catch {
      // Closed by the test, or by a process that was killed.
    }
    isEnded = true;
    notify();
  })();
  async function watch(isDone: () => boolean, patience: number, what: string): Promise<void> {
    const tooLate = setTimeout(() => stop.abort(), patience);
    while (!isDone() && !stop.signal.aborted) await changed.promise;
    clearTimeout(tooLate);
    if (!isDone()) throw new Error(`${what} within ${patience} ms; received: ${text}`);
  }
  return {
    status: response.status,
    location: response.headers.get("location"),
    received: () => text,
    async until(pattern, patience = 15_000) {
      await watch(() => pattern.test(text), patience, `nothing matched ${pattern}`);
      return text;
    },
    ended: (patience = 15_000) => watch(() => isEnded, patience, "not ended"),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await reading;
    },
  };
}
