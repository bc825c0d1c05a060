/** Sets up an empty database: a workspace, a location, its owner and an API key, all or nothing. */
import { openLocation } from "../crm/pipelines/open-location.service.ts";
import type { Change } from "../events/caller.ts";
import { keepInstallation } from "../storage/installation/installation.ts";
import { createApiKey } from "../tenancy/api-keys/api-key.service.ts";
import { makeInvitationLink } from "../tenancy/invitations/account-link.service.ts";
import { setFirstPassword } from "../tenancy/invitations/redeem-link.service.ts";
import { makeSetupLink } from "../tenancy/invitations/setup-link.service.ts";
import { inviteUser } from "../tenancy/users/user.service.ts";
import type { UserView } from "../tenancy/users/user.view.ts";
import { hasWorkspace } from "../tenancy/workspaces/workspace.queries.ts";
import { insertWorkspace } from "../tenancy/workspaces/workspace.service.ts";
import type { OwnerSignIn, SetupParts } from "./setup.schema.ts";
import type { SetupView } from "./setup.view.ts";

/** Resolves to null if a workspace already exists. Of concurrent setups, one succeeds. */
export async function setUp(
  change: Change<null>,
  parts: SetupParts,
  signIn: OwnerSignIn,
  keep: (made: SetupView) => Promise<void> = async () => {},
): Promise<SetupView | null> {
  await keepInstallation(change);
  if (await hasWorkspace(change)) return null;
  const { workspace, change: inside } = await insertWorkspace(change, change.tools, parts.workspace);
  const location = await openLocation(inside, parts.location);
  const owner = await inviteUser(inside, { ...parts.owner, locationIds: null });
  const url = await letSignIn(inside, owner, signIn);
  const apiKey = await createApiKey(inside, { name: "default" });
  const view: SetupView = {
    workspace,
    location: { id: location.id, name: location.name },
    owner: { id: owner.id, email: owner.email, ...(url === undefined ? {} : { set_password_url: url }) },
    api_key: { id: apiKey.id, key: apiKey.key },
  };
  await keep(view);
  return view;
}

/** The URL of the link by which the owner signs in, if there is one. */
async function letSignIn(change: Change, owner: UserView, how: OwnerSignIn): Promise<string | undefined> {
  if (how === "link") return (await makeInvitationLink(change, owner)).url;
  if (how === "setup") return makeSetupLink(change, owner.id);
  if (how !== "later") await setFirstPassword(change, owner, how.passwordHash);
  return undefined;
}
