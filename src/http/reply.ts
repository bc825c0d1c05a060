/** What a handler gives back: a status and a body of one of the shapes that its endpoint declares. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
}

export function reply<const Status extends number, Body>(status: Status, body: Body): Reply<Status, Body> {
  return { status, body };
}
