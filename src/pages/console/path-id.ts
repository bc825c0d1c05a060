/** The id of a record in the path of a request; a malformed one finds nothing. */
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import { toId } from "../../kit/input/id.ts";

export function pathId({ parameters }: IncomingRequest, name: string): number {
  // No record has the id 0.
  return toId(parameters[name]) ?? 0;
}
