/** The operations of people (extension). */
import { pageQuery } from "../../kit/page-shapes.ts";
import { maySeeAccountLink, requireOwnAccount } from "../../operation/grant-limits.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { invitationLetter, resetLetter } from "../invitations/account-mail.ts";
import { setFirstPassword, makeInvitationLink, makeResetLink } from "../invitations/account-link.service.ts";
import { hashPassword } from "../passwords/password.ts";
import { getWorkspace } from "../workspaces/workspace.queries.ts";
import { invitedView, resetView } from "./invited.view.ts";
import * as queries from "./user.queries.ts";
import { invitationInput, userPatch } from "./user.schema.ts";
import * as service from "./user.service.ts";
import { userListView, userView } from "./user.view.ts";

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

/** People only: API keys and apps cannot manage users. */
const may = { scope: "none", role: "manager" } as const;

export const inviteUser = operation({
  name: "inviteUser",
  summary: "Invites a person to the workspace and mails a link for choosing a password.",
  noun: "Users",
  within: "workspace",
  may,
  input: invitationInput,
  gives: invitedView,
  givesSecret: true,
  audit: ({ id }) => ({ noun: "user", id }),
  async before(reader, { input: { password } }) {
    if (password === undefined) return { hash: undefined };
    requireOwnAccount(reader, 0, { password });
    return { hash: await hashPassword(password) };
  },
  async steps(caller, { input, before: { hash } }, { network }) {
    const { location_ids: locationIds = null, ...invited } = input;
    const { user, url, workspace, isShown } = await caller.change(async (change) => {
      const user = await service.inviteUser(change, { ...invited, locationIds });
      if (hash !== undefined) await setFirstPassword(change, user, hash);
      const url = hash === undefined ? await makeInvitationLink(change, user) : undefined;
      const isMemberElsewhere = url !== undefined && (await queries.isMemberElsewhere(change, user.id));
      const workspace = await getWorkspace(change, change.workspaceId);
      return { user, url, workspace: workspace.name, isShown: maySeeAccountLink(change, { isMemberElsewhere }) };
    });
    const view = { id: user.id, email: user.email, role: user.role };
    if (url === undefined) return view;
    if (await network.mail(invitationLetter({ ...user, url, workspace }))) return { ...view, mailed: true as const };
    return isShown ? { ...view, invite_url: url } : view;
  },
});

export const updateUser = operation({
  name: "updateUser",
  summary: "Updates a person's name, e-mail address, role or locations.",
  noun: "Users",
  within: "workspace",
  may,
  find: { user: lockedByChange(queries.findUser) },
  input: userPatch,
  gives: userView,
  change: (change, { user, input: { location_ids: locationIds, ...patch } }) =>
    service.changeUser(change, user.id, { ...patch, locationIds }),
});

export const removeUser = operation({
  name: "removeUser",
  summary: "Removes a person from the workspace. The records they created are kept.",
  noun: "Users",
  within: "workspace",
  may,
  find: { user: lockedByChange(queries.findUser) },
  gives: null,
  change: async (change, { user }) => void (await service.removeUser(change, user.id)),
});

export const resetPassword = operation({
  name: "resetPassword",
  summary: "Mails a person a link for choosing a new password.",
  noun: "Users",
  within: "workspace",
  // A person has one password for all workspaces, so the owner of one workspace must not reset it.
  may: { scope: "none", role: "operator" },
  find: { user: lockedByChange(queries.findUser) },
  gives: resetView,
  givesSecret: true,
  async steps(caller, { user: { id } }, { network }) {
    const { user, url } = await caller.change((change) => makeResetLink(change, id));
    const view = { id, email: user.email };
    if (await network.mail(resetLetter({ ...user, url }))) return { ...view, mailed: true as const };
    return { ...view, reset_url: url };
  },
});
