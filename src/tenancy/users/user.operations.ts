/** The operations of people (extension). */
import type { Change } from "../../events/caller.ts";
import { pageQuery, shortPageQuery } from "../../kit/page-shapes.ts";
import { ownAccount, requireOwnAccount } from "../../operation/grant-limits.ts";
import type { Network } from "../../operation/network.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { invitationLetter, resetLetter } from "../invitations/account-mail.ts";
import * as links from "../invitations/account-link.service.ts";
import { setFirstPassword } from "../invitations/redeem-link.service.ts";
import { makeSetupLink, placeholderEmail } from "../invitations/setup-link.service.ts";
import { hashPassword } from "../passwords/password.ts";
import { secondFactorLetter } from "../two-factor/second-factor-mail.ts";
import { removeSecondFactor } from "../two-factor/second-factor.service.ts";
import { getWorkspace } from "../workspaces/workspace.queries.ts";
import { invitedView, resetView, twoFactorRemovedView } from "./invited.view.ts";
import { factsOfPerson } from "./person-audit.ts";
import * as queries from "./user.queries.ts";
import { accountPatch, invitationInput, userPatch } from "./user.schema.ts";
import * as service from "./user.service.ts";
import { personListView, personPageView, personView, userListView, userView } from "./user.view.ts";
import type { UserView } from "./user.view.ts";

const userRecord = shownRecord({
  gives: userView,
  lock: (change: Change, { user }: { user: number }) => service.lockUser(change, user),
  read: (reader, { user }) => queries.getUser(reader, user),
});

export const listUsers = operation({
  name: "listUsers",
  summary: "Lists the people of the workspace; with location_id, those with access to that location.",
  noun: "Users",
  within: "workspace",
  may: { scope: "users.readonly", role: "member" },
  query: pageQuery,
  gives: userListView,
  read: async (reader, { query }) => await queries.listUsers(reader, query),
});

/** A scope that no app can have. A key reaches the roles whose scopes it has all of (requireWithinGrant). */
const writing = { scope: "users.write", role: "manager" } as const;
/** For pages and the terminal. */
const may = { scope: "none", role: "manager" } as const;

export const listPeople = operation({
  name: "listPeople",
  summary: "Lists the people of the workspace with whether they have joined, for pages.",
  noun: "People",
  within: "workspace",
  may,
  query: shortPageQuery,
  gives: personListView,
  read: async (reader, { query }) => await queries.listPeople(reader, query),
});

export const getPerson = operation({
  name: "getPerson",
  summary: "Shows a person of the workspace, and whether the caller may change their membership.",
  noun: "People",
  within: "workspace",
  may,
  find: { user: queries.findPerson },
  gives: personPageView,
  read: async (_reader, { user }) => user,
});

export const inviteUser = operation({
  name: "inviteUser",
  summary: "Invites a person to the workspace and mails a link to join it.",
  noun: "Users",
  within: "workspace",
  may: writing,
  input: invitationInput,
  gives: invitedView,
  givesSecret: true,
  audit: ({ id, role }) => ({ noun: "user", id, details: { role } }),
  async before(reader, { input: { password } }) {
    if (password === undefined) return { hash: undefined };
    requireOwnAccount(reader, 0, { password });
    return { hash: await hashPassword(password) };
  },
  async steps(caller, { input, before: { hash } }, { network }) {
    const { location_ids: locationIds = null, ...given } = input;
    const invited = await caller.change(async (change): Promise<Invited> => {
      const user = await service.inviteUser(change, { ...given, locationIds });
      const hasJoined = hash !== undefined && (await setFirstPassword(change, user, hash));
      const link = hasJoined ? undefined : await links.makeInvitationLink(change, user);
      const { name: workspace } = await getWorkspace(change, change.workspaceId);
      return { ...user, link, workspace };
    });
    return deliver(invited, network);
  },
});

export const makeInvitationLink = operation({
  name: "makeInvitationLink",
  summary: "Mails an invited person a new link to join; earlier links stop working.",
  noun: "Users",
  within: "workspace",
  may,
  find: { user: lockedByChange(queries.findUser) },
  gives: invitedView,
  givesSecret: true,
  audit: "found",
  async steps(caller, { user: { id } }, { network }) {
    const made = await caller.change(async (change) => {
      const { user, ...link } = await service.inviteAgain(change, id);
      const { name: workspace } = await getWorkspace(change, change.workspaceId);
      return { ...user, link, workspace };
    });
    return deliver(made, network);
  },
});

interface Invited extends UserView {
  /** Undefined for a person whose first password the operator set. */
  readonly link: links.InvitationLink | undefined;
  /** The workspace's name. */
  readonly workspace: string;
}

/** Mails the link of an invitation, or returns it if no mail was sent. */
async function deliver({ id, email, name, role, link, workspace }: Invited, { mail }: Network) {
  const view = { id, email, role };
  if (link === undefined) return view;
  if (await mail(invitationLetter({ name, email, workspace, ...link }))) return { ...view, mailed: true as const };
  return { ...view, invite_url: link.url };
}

export const updateUser = operation({
  name: "updateUser",
  summary: "Updates a person's name, e-mail address, role or locations.",
  noun: "Users",
  within: "workspace",
  may: writing,
  find: { user: lockedByChange(queries.findUser) },
  input: userPatch,
  record: userRecord,
  gives: userView,
  audit: ({ id, role }) => ({ noun: "user", id, details: { role } }),
  change: (change, { user, input: { location_ids: locationIds, ...patch } }) =>
    service.changeUser(change, user.id, { ...patch, locationIds }),
});

export const updateAccount = operation({
  name: "updateAccount",
  summary: "Renames a person, in every workspace.",
  noun: "Users",
  within: "account",
  may: { scope: "none", role: "member" },
  input: accountPatch,
  gives: personView,
  audit: ({ id }, _args, reader) => factsOfPerson(reader, id),
  change: (change, { input: { name } }) => service.renamePerson(change, ownAccount(change).id, name),
});

export const removeUser = operation({
  name: "removeUser",
  summary: "Removes a person from the workspace. The records they created are kept.",
  noun: "Users",
  within: "workspace",
  may: writing,
  find: { user: lockedByChange(queries.findUser) },
  record: userRecord,
  gives: null,
  audit: "found",
  change: async (change, { user }) => void (await service.removeUser(change, user.id)),
});

export const signOutUser = operation({
  name: "signOutUser",
  summary: "Signs a person of this workspace alone out in every browser.",
  noun: "People",
  within: "workspace",
  may: { scope: "none", role: "owner" },
  find: { user: lockedByChange(queries.findUser) },
  gives: null,
  audit: "found",
  change: (change, { user }) => service.signOutUser(change, user.id),
});

export const resetPassword = operation({
  name: "resetPassword",
  summary: "Mails a person a link for choosing a new password; the owner of a first start gets the setup link instead.",
  noun: "Users",
  within: "workspace",
  // A person has one password for all workspaces, so the owner of one workspace must not reset it.
  may: { scope: "none", role: "operator" },
  find: { user: lockedByChange(queries.findUser) },
  gives: resetView,
  givesSecret: true,
  audit: "found",
  async steps(caller, { user: { id } }, { network }) {
    const made = await caller.change(async (change) => {
      const setup_url = await makeSetupLink(change, id);
      return setup_url === undefined ? links.makeResetLink(change, id) : { setup_url };
    });
    // Never mailed: the address is a placeholder.
    if ("setup_url" in made) return { id, email: placeholderEmail, ...made };
    const { user, url } = made;
    const view = { id, email: user.email };
    if (await network.mail(resetLetter({ ...user, url }))) return { ...view, mailed: true as const };
    return { ...view, reset_url: url };
  },
});

export const removeTwoFactor = operation({
  name: "removeTwoFactor",
  summary: "Turns two-factor sign-in of a person off, for one who has neither the app nor a recovery code.",
  noun: "Users",
  within: "workspace",
  // As for the password: a person has one for all workspaces.
  may: { scope: "none", role: "operator" },
  find: { user: queries.findUser },
  gives: twoFactorRemovedView,
  audit: "found",
  async steps(caller, { user: { id, name, email } }, { network }) {
    const wasOn = await caller.change((change) => removeSecondFactor(change, id));
    if (wasOn) await network.mail(secondFactorLetter("removed", { name, email, links: caller.tools.links }));
    return { id, email, was_on: wasOn };
  },
});
