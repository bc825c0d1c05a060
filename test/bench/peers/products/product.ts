/** What is measured of a product: a server of its own that holds the people, and five requests in its own dialect. */
export interface Product extends AsyncDisposable {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Sent as a bearer token. */
  readonly apiKey: string;
  /** Paths, taken in turn. */
  readonly reads: {
    /** Two hundred people, latest first. */
    readonly list: readonly string[];
    readonly get: readonly string[];
    /** The one person with an e-mail address. */
    readonly email: readonly string[];
    /** Those of whose last name a text is part. */
    readonly contains: readonly string[];
  };
  readonly create: { readonly path: string; readonly body: object; readonly status: number };
}

/** Resolves when `path` is answered 2xx. Rejects after two minutes. */
export async function untilReady(port: number, path: string, ended: Promise<unknown>): Promise<void> {
  let over = false;
  const note = (): void => void (over = true);
  ended.then(note, note);
  for (const deadline = Date.now() + 120_000; Date.now() < deadline && !over;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${path} is not answered`);
}

/** Posts JSON; rejects at every answer that is not 2xx. */
export async function post<Answer>(port: number, path: string, apiKey: string, body: unknown): Promise<Answer> {
  const headers = {
    "content-type": "application/json",
    ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${text.slice(0, 1000)}`);
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}
