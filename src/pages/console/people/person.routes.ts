/** People: the list, invitations, roles and locations, and removal. */
import type { WholeResponse } from "../../../http/http-response.ts";
import type { Route } from "../../../http/route.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { isOwner } from "../../../operation/roles.ts";
import { keepNotice } from "../../../tenancy/sessions/session.service.ts";
import type { NoticeText } from "../../../tenancy/sessions/session.service.ts";
import {
  getPerson,
  inviteUser,
  listPeople,
  makeInvitationLink,
  removeUser,
  signOutUser,
  updateUser,
} from "../../../tenancy/users/user.operations.ts";
import type { PersonPageView } from "../../../tenancy/users/user.view.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer, redirectAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import { answerResult } from "../answer-form.ts";
import { confirmedAction } from "../confirmed-action.ts";
import { submit } from "../forms.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { pathId } from "../path-id.ts";
import { invitationFormPage, invitationLinkPage } from "./invitation.page.ts";
import {
  emptyInvitation,
  readInvitationForm,
  readMembershipForm,
  toInvitation,
  toMembershipChange,
} from "./person.form.ts";
import { personListPage } from "./person-list.page.ts";
import { personPage, removePersonPage } from "./person.page.ts";

/** People per page. */
const limit = 25;

export function personRoutes(deps: ConsoleDeps): Route[] {
  const { operating, site } = deps;
  const routes = workRoutes(deps).inWorkspace;
  const { shown, sent } = routes;
  // The permission of all of them is the same.
  const may = listPeople;
  const mayGrantAll = ({ caller }: AsPerson) => caller.locationIds === null;
  const mayChangeRole = ({ workplace }: AsPerson) => isOwner(workplace.role);
  const personOf = (here: AsPerson, user: number) => carryOut(getPerson, here.caller, { user }, operating);
  const showPerson = (here: AsPerson, user: PersonPageView) =>
    personPage(here, { user, mayChangeRole: mayChangeRole(here), mayGrantAll: mayGrantAll(here) });

  async function toList(here: AsPerson, kind: "ok" | "danger", title: NoticeText, text: NoticeText) {
    await keepNotice(deps, here.person, { kind, title, text });
    return redirectAnswer(here.to("/people"));
  }

  /** The link of an invitation: shown, or mailed. */
  async function invited(
    here: AsPerson,
    { email, invite_url: url }: { email: string; invite_url?: string | undefined },
  ): Promise<WholeResponse> {
    if (url !== undefined) return pageAnswer(200, invitationLinkPage(here, { email, url }));
    return toList(here, "ok", [{ name: email }, " is invited"], ["A link to join is on its way."]);
  }

  return [
    shown({
      path: "/people",
      summary: "The people of a workspace.",
      may,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const people = await carryOut(listPeople, here.caller, { query: { cursor, limit } }, operating);
        return personListPage(here, {
          people: people.data,
          isContinued: Boolean(cursor),
          nextCursor: people.next_cursor,
        });
      },
    }),
    shown({
      path: "/people/invite",
      summary: "The form of an invitation.",
      may,
      show: async (here) =>
        invitationFormPage(here, { typed: emptyInvitation(mayGrantAll(here)), mayGrantAll: mayGrantAll(here) }),
    }),
    sent({
      path: "/people/invite",
      summary: "Invites a person; mails the link, or shows it once.",
      may,
      async take(here, _request, fields) {
        const typed = readInvitationForm(fields);
        const result = await submit(inviteUser, here.caller, { input: toInvitation(typed) }, operating);
        if ("body" in result) return invited(here, result.body);
        const page = invitationFormPage(here, { typed, faults: result.faults, mayGrantAll: mayGrantAll(here) });
        return pageAnswer(422, page);
      },
    }),
    shown({
      path: "/people/{user}",
      summary: "A person: role and locations.",
      may,
      show: async (here, request) => showPerson(here, await personOf(here, pathId(request, "user"))),
    }),
    sent({
      path: "/people/{user}",
      summary: "Changes role and locations of a person.",
      may,
      async take(here, request, fields) {
        const user = await personOf(here, pathId(request, "user"));
        const typed = readMembershipForm(fields);
        const input = toMembershipChange(typed, mayChangeRole(here) ? undefined : user.role);
        const result = await submit(updateUser, here.caller, { user: user.id, input }, operating);
        if ("faults" in result) {
          const { faults } = result;
          const may = { mayChangeRole: mayChangeRole(here), mayGrantAll: mayGrantAll(here) };
          return pageAnswer(422, personPage(here, { user, typed, faults, ...may }));
        }
        // The person who gave up their own role may no longer see the list.
        if (user.id === here.person.userId) return redirectAnswer(site.path("/"));
        return toList(here, "ok", [{ name: user.name }, " is changed"], ["It applies at once."]);
      },
    }),
    sent({
      path: "/people/{user}/link",
      summary: "Makes a new invitation link; mails it, or shows it once.",
      may,
      async take(here, request) {
        const user = await personOf(here, pathId(request, "user"));
        const result = await submit(makeInvitationLink, here.caller, { user: user.id }, operating);
        if ("body" in result) return invited(here, result.body);
        return toList(here, "danger", ["No link was made"], [Object.values(result.faults)[0] ?? ""]);
      },
    }),
    sent({
      path: "/people/{user}/sign-out",
      summary: "Signs a person out in every browser.",
      may: signOutUser,
      async take(here, request) {
        const { id, name } = await personOf(here, pathId(request, "user"));
        const result = await submit(signOutUser, here.caller, { user: id }, operating);
        return answerResult(deps, here, result, "/people", {
          kind: "ok",
          title: [{ name }, " is signed out"],
          text: ["They can sign in again."],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/people/{user}/remove",
      summary: "Removes a person from the workspace.",
      may,
      find: (here, request) => personOf(here, pathId(request, "user")),
      // Who may not change a person is told so before they confirm anything.
      ask: (here, user) => (user.may_change ? removePersonPage(here, { user }) : showPerson(here, user)),
      async take(here, { id, name }) {
        const result = await submit(removeUser, here.caller, { user: id }, operating);
        return answerResult(deps, here, result, "/people", {
          kind: "ok",
          title: [{ name }, " is removed"],
          text: ["They have no access to this workspace any more."],
        });
      },
    }),
  ];
}
