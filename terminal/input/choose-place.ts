/** Finds the workspace and the location that a command means: the ones named, or the only ones there are. */
import type { Caller, Place } from "../../src/events/caller.ts";
import type { Service } from "../../src/service.ts";
import { WrongUsage } from "../failures.ts";
import { printable } from "../output/table.ts";

export interface PlaceFlags {
  readonly workspace?: number | undefined;
  readonly location?: number | undefined;
}

/** The workspace named, the one that the named location belongs to, or the only one. */
export async function chooseWorkspace(
  { database, inWorkspace }: Service,
  { workspace, location }: PlaceFlags,
): Promise<Caller<null>> {
  const { getWorkspace, listWorkspaces } = await import("../../src/tenancy/workspaces/workspace.queries.ts");
  if (workspace !== undefined) return inWorkspace((await getWorkspace(database, workspace)).id);
  if (location !== undefined) {
    const { findWorkspaceOf } = await import("../../src/tenancy/locations/location.queries.ts");
    const found = await findWorkspaceOf(database, location);
    if (found !== undefined) return inWorkspace(found);
  }
  return inWorkspace(theOnly("workspace", await listWorkspaces(database), 'run "crm setup" (or "crm serve") first').id);
}

/** The location named, or the only one of the workspace. */
export async function chooseLocation(service: Service, flags: PlaceFlags): Promise<Caller<Place>> {
  const caller = await chooseWorkspace(service, flags);
  if (flags.location !== undefined) return service.inLocation(caller.workspaceId, flags.location);
  const { listLocations } = await import("../../src/tenancy/locations/location.queries.ts");
  const { id } = theOnly("location", await listLocations(caller), 'run "crm locations create NAME" first');
  return service.inLocation(caller.workspaceId, id);
}

/** How many of the choices a sentence lists. */
const listed = 20;

function theOnly<Choice extends { id: number; name: string }>(
  noun: string,
  choices: readonly Choice[],
  remedy: string,
): Choice {
  const [first, ...others] = choices;
  if (first === undefined) throw new Error(`There is no ${noun} yet: ${remedy}.`);
  if (others.length === 0) return first;
  const names = choices.slice(0, listed).map(({ id, name }) => `${id} (${printable(name)})`);
  const more = choices.length > listed ? ` and ${choices.length - listed} more` : "";
  throw new WrongUsage(`There are several ${noun}s, name one with --${noun}: ${names.join(", ")}${more}.`);
}
