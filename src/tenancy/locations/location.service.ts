/** Creates and updates locations. */
import type { Change } from "../../events/caller.ts";
import { changesBetween } from "../../events/field-changes.ts";
import { laterOf } from "../../kit/time/clock.ts";
import { forNoKeyUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { Location } from "./location.entity.ts";
import { locationCreated, locationUpdated } from "./location.events.ts";
import type { LocationFields, LocationInput, LocationPatch } from "./location.schema.ts";
import type { LocationView } from "./location.view.ts";

/** Defaults of a new location: days are counted in UTC, phone numbers are parsed as US numbers. */
const defaults = {
  address1: "",
  city: "",
  state: "",
  zip: "",
  phonePublic: "",
  website: "",
  timezone: "UTC",
  country: "US",
};

/** The fields that `changes` reports: API name → entity property. */
const shownFields = Object.entries({
  name: "name",
  address1: "address1",
  city: "city",
  state: "state",
  zip: "zip",
  phone_public: "phonePublic",
  timezone: "timezone",
  website: "website",
  country: "country",
} as const satisfies Record<keyof LocationFields, keyof LocationPatch>);

/** Seeds a new location with its default records; passed in by a higher rank, which knows pipelines. */
export type SeedLocation = (change: Change, locationId: number) => Promise<unknown>;

/** Creates and seeds a location in the workspace of `change`, and raises location.created. */
export async function createLocation(change: Change, input: LocationInput, seed: SeedLocation): Promise<LocationView> {
  const fields = { ...defaults, ...definedFields(input) };
  const location = change.em.create(Location, {
    ...fields,
    workspace: change.workspaceId,
    createdAt: change.now,
    updatedAt: change.now,
  });
  await change.em.flush();
  await seed(change, location.id);
  const view = toView({ ...fields, id: location.id });
  change.raise(locationCreated.of(view, { locationId: location.id }));
  return view;
}

const lockText = sql`select id from locations where id = ? and workspace_id = ?${forNoKeyUpdate("locations")}`;

/** Locks the location against other changes of it until the commit. Refuses `location.not_found`. */
export async function lockLocation(change: Change, id: number): Promise<void> {
  const [held] = await change.rows(lockText, [id, change.workspaceId]);
  if (held === undefined) throw new Refusal("location.not_found");
}

/** Updates the given fields; raises location.updated if a value changed. Refuses `location.not_found`. */
export async function updateLocation(change: Change, id: number, input: LocationPatch): Promise<LocationView> {
  const fields = definedFields(input);
  // Each of several changes at once raises what it has changed itself.
  await lockLocation(change, id);
  const location = await change.em.findOneOrFail(Location, id);
  const changes = changesBetween(location, fields, shownFields);
  Object.assign(location, fields);
  const view = toView(location);
  if (changes.length === 0) return view;
  location.updatedAt = laterOf(location.updatedAt, change.now);
  await change.em.flush();
  change.raise(locationUpdated.of(view, { locationId: id, changes }));
  return view;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Drops undefined fields, which would overwrite a default or an existing value. */
function definedFields<Fields extends object>(
  fields: Fields,
): Defined<Fields> & { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function toView({ id, name, address1, city, state, zip, phonePublic, timezone, website }: ViewSource): LocationView {
  return { id, name, address1, city, state, zip, phone_public: phonePublic, timezone, website };
}

type ViewSource = Omit<LocationView, "phone_public"> & { phonePublic: string };
