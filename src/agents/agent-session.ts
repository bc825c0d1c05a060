/** The credential of one agent request, and the locations that its tools work in. */
import type { CallAs, Identity } from "../events/call-as.ts";
import type { Caller, LocationContext } from "../events/caller.ts";
import { toId } from "../kit/input/id.ts";
import type { OperationDeps } from "../operation/carry-out.ts";
import { Refusal } from "../vocabulary/errors.ts";

/** What tools need to carry out operations. */
export interface AgentSession {
  readonly identity: Omit<Identity, "location">;
  readonly callAs: CallAs;
  readonly deps: OperationDeps;
  /** The location, if the credential has access to it. */
  readonly locate: (id: number) => Promise<LocationContext | undefined>;
  /** The location, if the credential has access to exactly one. */
  readonly onlyLocation: () => Promise<LocationContext | undefined>;
}

/** The caller in the location `given`, or in the only one there is. Refuses `location.not_found`. */
export async function callerInLocation(session: AgentSession, given: unknown): Promise<Caller<LocationContext>> {
  const location = given === undefined ? await session.onlyLocation() : await findLocation(session, given);
  if (location !== undefined) return session.callAs({ ...session.identity, location });
  const detail = given === undefined ? "Several locations are accessible: pass location_id." : undefined;
  throw new Refusal("location.not_found", {}, { detail });
}

/** The caller in the workspace, narrowed to the location `given` if there is one. */
export async function callerInWorkspace(session: AgentSession, given: unknown): Promise<Caller> {
  return given === undefined
    ? session.callAs({ ...session.identity, location: null })
    : callerInLocation(session, given);
}

async function findLocation({ locate }: AgentSession, given: unknown): Promise<LocationContext | undefined> {
  const id = toId(given);
  return id === undefined ? undefined : locate(id);
}
