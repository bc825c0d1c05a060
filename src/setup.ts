/**
 * Makes an empty database a service that can be used (a workspace, a location, its owner and an API key, all or nothing).
 */
import { openLocation } from "./crm/pipelines/open-location.service.ts";
import type { Change, Tools } from "./events/caller.ts";
import { readInput } from "./kit/input/read-input.ts";
import { setFirstPassword, makeInvitationLink } from "./tenancy/invitations/account-link.service.ts";
import { createApiKey } from "./tenancy/api-keys/api-key.service.ts";
import { locationInput } from "./tenancy/locations/location.schema.ts";
import { invitation } from "./tenancy/users/user.schema.ts";
import { inviteUser } from "./tenancy/users/user.service.ts";
import type { UserView } from "./tenancy/users/user.view.ts";
import { hasWorkspace } from "./tenancy/workspaces/workspace.queries.ts";
import { workspaceInput } from "./tenancy/workspaces/workspace.schema.ts";
import { insertWorkspace } from "./tenancy/workspaces/workspace.service.ts";
import type { Database } from "./storage/database.ts";

export interface SetupInput {
  readonly workspace: string;
  readonly location: string;
  readonly ownerEmail: string;
  /** Time zone and country of the location; it has defaults for both. */
  readonly timezone?: string | undefined;
  readonly country?: string | undefined;
}

/** What a service that nobody set up begins with; all of it can be changed afterwards. */
const defaults: SetupInput = { workspace: "My workspace", location: "Main location", ownerEmail: "owner@example.com" };

/** `api_key.key` is shown this once and stored nowhere. */
export interface SetupView {
  readonly workspace: { readonly id: number; readonly name: string };
  readonly location: { readonly id: number; readonly name: string };
  /** `set_password_url` is where the owner chooses a password, where none was given. */
  readonly owner: { readonly id: number; readonly email: string; readonly set_password_url?: string };
  readonly api_key: { readonly id: number; readonly key: string };
}

/** What becomes of each answer. */
const readers: { readonly [Name in keyof SetupInput]-?: (answer: string) => unknown } = {
  workspace: (name) => readInput(workspaceInput, { name }),
  location: (name) => readInput(locationInput, { name }),
  ownerEmail: (email) => readInput(invitation, { email, role: "owner" }),
  timezone: (timezone) => readInput(locationInput, { name: defaults.location, timezone }),
  country: (country) => readInput(locationInput, { name: defaults.location, country }),
};

/** Refuses one answer alone, in the words in which it would be refused among all of them: for whoever asks one after the other. */
export function judgeAnswer(name: keyof SetupInput, answer: string): void {
  readers[name](answer);
}

/** Each part held against its schema. Refuses like the operations that make them one by one. */
export function readSetup({ workspace, location, ownerEmail, timezone, country }: SetupInput) {
  return {
    workspace: readInput(workspaceInput, { name: workspace }),
    location: readInput(locationInput, { name: location, timezone, country }),
    owner: readInput(invitation, { email: ownerEmail, role: "owner" }),
  };
}

interface SetupDeps {
  readonly database: Database;
  readonly tools: Tools;
}

/** How the owner will sign in: by a password whose hash this is, by a link on which they choose one, or not yet. */
export type OwnerSignIn = { readonly passwordHash: string } | "link" | "later";

/**
 * Sets the service up in one transaction; undefined when a workspace is there already. However many start together, one does it.
 * `keep` puts the key where it will be found; when it fails, nothing was set up.
 */
export function setUpOnce(
  { database, tools }: SetupDeps,
  input: SetupInput = defaults,
  keep: (made: SetupView) => Promise<void> = async () => {},
  ownerSignIn: OwnerSignIn = "later",
): Promise<SetupView | undefined> {
  const given = readSetup(input);
  return database.exclusively("setup", async () => {
    if (await hasWorkspace(database)) return undefined;
    const made = await database.transaction(async (transaction) => {
      const { workspace, change } = await insertWorkspace(transaction, tools, given.workspace);
      const location = await openLocation(change, given.location);
      const owner = await inviteUser(change, { ...given.owner, locationIds: null });
      const url = await letSignIn(change, owner, ownerSignIn);
      const apiKey = await createApiKey(change, { name: "default" });
      const view: SetupView = {
        workspace,
        location: { id: location.id, name: location.name },
        owner: { id: owner.id, email: owner.email, ...(url === undefined ? {} : { set_password_url: url }) },
        api_key: { id: apiKey.id, key: apiKey.key },
      };
      await keep(view);
      return view;
    });
    database.announceCommit();
    return made;
  });
}

/** The address of the link, where one was asked for. */
async function letSignIn(change: Change, owner: UserView, how: OwnerSignIn): Promise<string | undefined> {
  if (how === "link") return makeInvitationLink(change, owner);
  if (how !== "later") await setFirstPassword(change, owner, how.passwordHash);
  return undefined;
}
