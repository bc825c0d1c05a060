/** A small HTTP client for tests: JSON in, status, headers and parsed body out; nothing is thrown for a status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies freely; expectations judge them
  readonly body: any;
}

export interface HttpRequest {
  readonly method: string;
  /** From the root, with its query. */
  readonly path: string;
  readonly key?: string | undefined;
  /** An object is sent as JSON, a string and bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function request(baseUrl: string, { method, path, key, body, headers }: HttpRequest): Promise<HttpAnswer> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      accept: "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body:
      body === undefined ? null : typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : text,
  };
}
