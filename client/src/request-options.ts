/** The options of a client and of a request. An option that is undefined is left out, also under `exactOptionalPropertyTypes`. */

/** An id of a response, or its digits. */
export type Id = number | string;

/** Bytes that can be sent again after a lost connection. */
export type FileContent = Blob | ArrayBuffer | Uint8Array;

/** Asked before every request; `rejected` is the token that the service has just refused (401), if it did. */
export type TokenSource = (asked: { readonly rejected?: string }) => string | Promise<string>;

export interface ClientOptions {
  /** The address of the service, such as `https://crm.example.com`. */
  readonly baseUrl: string;
  /** An API key or an access token, or a function that returns one. */
  readonly token?: string | TokenSource | undefined;
  /** The `location_id` of every operation that takes one, unless its input names another. */
  readonly location?: Id | undefined;
  /** How often a request is sent again; 3 by default. */
  readonly retries?: number | undefined;
  /** Milliseconds until an attempt is given up, its body included; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** Unknown fields are refused with a 422 that suggests the right one, instead of being ignored. */
  readonly strict?: boolean | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined;
}

export interface RequestOptions {
  /** Gives the request up, retries included: the method fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until an attempt is given up, instead of the client's. */
  readonly timeout?: number | undefined;
  /** How often the request is sent again, instead of the client's. */
  readonly retries?: number | undefined;
  /** Of a POST; by default the client makes one. The same key and body within 24 hours are carried out once. */
  readonly idempotencyKey?: string | undefined;
  /** Of a POST without a key: doing it twice does what doing it once does, so it is sent again after a lost answer. */
  readonly repeatable?: boolean | undefined;
  /** Carries the request out only if the record still has this ETag (`responseOf`); else the method fails with 412. */
  readonly ifMatch?: string | undefined;
  /** Instead of the client's. */
  readonly location?: Id | undefined;
  /** Instead of the client's. */
  readonly token?: string | TokenSource | undefined;
  /** Sent as well. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
