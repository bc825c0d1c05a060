/** Resolves the workspace and the location of a command: by ID or name, or the only one. */
import type { Caller, LocationContext } from "../../../src/events/caller.ts";
import { fold } from "../../../src/kit/text.ts";
import type { Service } from "../../../src/service.ts";
import { Refused, WrongUsage } from "../../failures.ts";
import { printable } from "../../output/table.ts";
import { listChoices } from "./choices.ts";

/** An ID or a name. */
export interface LocationFlags {
  readonly workspace?: string | undefined;
  readonly location?: string | undefined;
}

/** The given workspace, that of the given location, or the only one. */
export async function chooseWorkspace(service: Service, { workspace, location }: LocationFlags): Promise<Caller<null>> {
  const { database, inWorkspace } = service;
  if (workspace === undefined && location !== undefined) {
    return inWorkspace((await findLocation(service, location)).workspace_id);
  }
  const { listWorkspaces } = await import("../../../src/tenancy/workspaces/workspace.queries.ts");
  const all = await listWorkspaces(database);
  const found = workspace === undefined ? theOnly(workspaces, all) : meantBy(workspaces, workspace, all);
  return inWorkspace(found.id);
}

/** The given location, or the only one of the workspace. */
export async function chooseLocation(
  service: Service,
  { workspace, location }: LocationFlags,
): Promise<Caller<LocationContext>> {
  if (workspace === undefined && location !== undefined) {
    const { workspace_id, id } = await findLocation(service, location);
    return service.inLocation(workspace_id, id);
  }
  const caller = await chooseWorkspace(service, { workspace });
  const all = await listOf(service, caller.workspaceId);
  const { id } = location === undefined ? theOnly(locations, all) : meantBy(locations, location, all);
  return service.inLocation(caller.workspaceId, id);
}

/** The IDs of the given locations, which all belong to one workspace. */
export async function chooseLocations(
  service: Service,
  { workspaceId }: Caller<null>,
  texts: readonly string[],
): Promise<number[]> {
  const all = await listOf(service, workspaceId);
  return texts.map((text) => meantBy(locations, text, all).id);
}

/** The given location, in any workspace. */
export async function findLocation(service: Service, text: string) {
  return meantBy(locations, text, await listOf(service, null));
}

async function listOf({ database }: Service, workspaceId: number | null) {
  const { listLocationNames } = await import("../../../src/tenancy/locations/location.queries.ts");
  return listLocationNames(database, workspaceId);
}

/** The terms of an error message for workspaces or locations. */
interface Kind {
  readonly noun: "workspace" | "location";
  /** The command that creates the first. */
  readonly remedy: string;
}

const workspaces: Kind = { noun: "workspace", remedy: 'run "crm setup" (or "crm serve") first' };
const locations: Kind = { noun: "location", remedy: 'run "crm locations create NAME" first' };

interface Choice {
  readonly id: number;
  readonly name: string;
  /** The workspace of a location, if there may be several. */
  readonly workspace?: string | undefined;
}

function theOnly<Found extends Choice>({ noun, remedy }: Kind, choices: readonly Found[]): Found {
  const [first, ...others] = choices;
  if (first === undefined) throw new Error(`There is no ${noun} yet: ${remedy}.`);
  if (others.length === 0) return first;
  throw new WrongUsage(`There are several ${noun}s; choose one with --${noun}: ${namesOf(choices)}.`);
}

/** The record with this ID, or else this name. Refuses an ambiguous and an unknown name. */
function meantBy<Found extends Choice>({ noun, remedy }: Kind, text: string, choices: readonly Found[]): Found {
  const byId = choices.find(({ id }) => String(id) === text);
  if (byId !== undefined) return byId;
  const [found, ...others] = choices.filter(({ name }) => fold(name) === fold(text));
  const said = /^\d+$/.test(text) ? text : JSON.stringify(text);
  if (found === undefined) {
    const all = choices.length === 0 ? `none yet: ${remedy}` : namesOf(choices);
    throw new Refused(`There is no ${noun} ${said}; there are ${all}.`, `${noun}.not_found`);
  }
  if (others.length === 0) return found;
  throw new WrongUsage(`Several ${noun}s are called ${said}; choose one by its ID: ${namesOf([found, ...others])}.`);
}

function namesOf(choices: readonly Choice[]): string {
  const isOfSeveral = new Set(choices.map(({ workspace }) => workspace)).size > 1;
  return listChoices(
    choices.map(({ id, name, workspace }) => {
      const where = isOfSeveral && workspace !== undefined ? `, in ${printable(workspace)}` : "";
      return `${id} (${printable(name)}${where})`;
    }),
  );
}
