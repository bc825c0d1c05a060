/** API keys: the list, a new one, rotation and revocation. */
import { randomUUID } from "node:crypto";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import type { Route } from "../../../http/route.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from "../../../tenancy/api-keys/api-key.operations.ts";
import type { NewApiKeyView } from "../../../tenancy/api-keys/api-key.view.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import { answerResult } from "../answer-form.ts";
import { answerSecret } from "../answer-secret.ts";
import type { SecretKind } from "../answer-secret.ts";
import { confirmedAction } from "../confirmed-action.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { pathId } from "../path-id.ts";
import { faultsOf, submit, submitOnce } from "../forms.ts";
import { keySecretPage, revokeKeyPage, rotateKeyPage } from "./key-actions.page.ts";
import { keyFormPage } from "./key-form.page.ts";
import { emptyKeyForm, readKeyForm, toKeyInput } from "./key.form.ts";
import { keyListPage } from "./key-list.page.ts";

/** Keys per page. */
const limit = 15;

const chooseScopes = { scopes: "Choose what the key may do." };

export function keyRoutes(deps: ConsoleDeps): Route[] {
  const { operating, clock, links } = deps;
  const routes = workRoutes(deps).inWorkspace;
  const { shown, sent } = routes;
  const mayGrantAll = ({ caller }: AsPerson) => caller.locationIds === null;
  const find = (here: AsPerson, request: IncomingRequest) =>
    carryOut(getApiKey, here.caller, { api_key: pathId(request, "key") }, operating);
  const secret: SecretKind<NewApiKeyView> = {
    at: "/keys",
    list: "API keys",
    lost: "The key was shown once, and is not shown again. If you did not copy it, rotate it.",
    page: (here, key) => keySecretPage(here, { key, apiUrl: links.to("/api/v1") }),
  };

  return [
    shown({
      path: "/keys",
      summary: "The API keys of a workspace.",
      may: listApiKeys,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const isActiveOnly = query.get("state") !== "all";
        const state = isActiveOnly ? ("active" as const) : undefined;
        const keys = await carryOut(listApiKeys, here.caller, { query: { cursor, limit, state } }, operating);
        return keyListPage(here, {
          keys: keys.data,
          now: clock.now(),
          isActiveOnly,
          isContinued: Boolean(cursor),
          nextCursor: keys.next_cursor,
        });
      },
    }),
    shown({
      path: "/keys/new",
      summary: "The form of a new API key.",
      may: createApiKey,
      show: async (here) =>
        keyFormPage(here, {
          typed: emptyKeyForm(randomUUID(), mayGrantAll(here)),
          mayGrantAll: mayGrantAll(here),
        }),
    }),
    sent({
      path: "/keys/new",
      summary: "Creates an API key and shows it once.",
      may: createApiKey,
      async take(here, _request, fields) {
        const typed = readKeyForm(fields);
        const input = toKeyInput(typed, clock.now());
        const result =
          typed.scopes.length === 0
            ? { faults: { ...faultsOf(createApiKey, input), ...chooseScopes } }
            : await submitOnce(createApiKey, here.caller, { input }, operating, typed.once);
        return answerSecret(here, secret, result, (faults) =>
          pageAnswer(422, keyFormPage(here, { typed, faults, mayGrantAll: mayGrantAll(here) })),
        );
      },
    }),
    ...confirmedAction(routes, {
      path: "/keys/{key}/rotate",
      summary: "Rotates an API key and shows the new one once.",
      may: rotateApiKey,
      find,
      ask: (here, key, once) => rotateKeyPage(here, { key, once }),
      async take(here, { id }, fields) {
        const once = fields.get("once") ?? "";
        const result = await submitOnce(rotateApiKey, here.caller, { api_key: id }, operating, once);
        return answerSecret(here, secret, result, (faults) => answerResult(deps, here, { faults }, "/keys"));
      },
    }),
    ...confirmedAction(routes, {
      path: "/keys/{key}/revoke",
      summary: "Revokes an API key.",
      may: revokeApiKey,
      find,
      ask: (here, key) => revokeKeyPage(here, { key }),
      async take(here, { id, name }) {
        const result = await submit(revokeApiKey, here.caller, { api_key: id }, operating);
        return answerResult(deps, here, result, "/keys", {
          kind: "ok",
          title: [{ name }, " is revoked"],
          text: ["Programs that use it have no access any more."],
        });
      },
    }),
  ];
}
