/** What the client knows of an operation while it runs. */
export interface OperationDescription {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the root of the service, with `{name}` for parameters. */
  readonly path: string;
  /** How the input is sent; without it in the query. The input of a `file` is in the query as well. */
  readonly body?: "json" | "form" | "file";
  /** Whether the operation takes a `location_id`. */
  readonly location?: "required" | "optional";
  /** Whether the service carries it out once per Idempotency-Key. */
  readonly keyed?: boolean;
  /** How the next page is asked for: by `next_cursor`, or by `last_position`. */
  readonly pages?: "cursor" | "position";
  /** Takes no token. */
  readonly open?: boolean;
}

/** Group → method → operation. */
export type OperationTable = Readonly<Record<string, Readonly<Record<string, OperationDescription>>>>;

/** The method that follows the pages of `method`. */
export function nameOfWalk(method: string): string {
  return /^(?:list|read\w*)$/.test(method) ? "all" : `${method}All`;
}
