/** Workflows and their runs: to look at, publish, unpublish, enroll and remove. Definitions are written elsewhere. */
import type { Route } from "../../../http/route.ts";
import {
  enroll,
  getWorkflowRun,
  listWorkflowRuns,
  removeRun,
  retryRun,
} from "../../../crm/workflows/workflow-run.operations.ts";
import {
  getWorkflow,
  listWorkflows,
  publishWorkflow,
  rotateWorkflowSecret,
  unpublishWorkflow,
} from "../../../crm/workflows/workflow.operations.ts";
import { runOf } from "../../../crm/workflow-runs/enrollment.view.ts";
import type { LocationContext } from "../../../events/caller.ts";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import { toId } from "../../../kit/input/id.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { runStatuses } from "../../../vocabulary/states.ts";
import { describeRefusal, Refusal } from "../../../vocabulary/errors.ts";
import { html } from "../../html.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer } from "../../page-answer.ts";
import { isolatedName } from "../../parts/name.ts";
import { workRoutes } from "../../work.route.ts";
import { answerResult, answerWithNotice } from "../answer-form.ts";
import { answerSecret } from "../answer-secret.ts";
import type { SecretKind } from "../answer-secret.ts";
import { confirmedAction } from "../confirmed-action.ts";
import { confirmPage } from "../confirm.page.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { submit, submitOnce } from "../forms.ts";
import type { FormResult } from "../forms.ts";
import { readGrace } from "../grace.ts";
import { pathId } from "../path-id.ts";
import { signingSecretPage } from "../signing-secret.page.ts";
import type { NewSigningSecret } from "../signing-secret.page.ts";
import { runPage } from "./run.page.ts";
import { rotateWorkflowSecretPage } from "./workflow-secret.page.ts";
import { workflowListPage, workflowPage } from "./workflow.page.ts";

/** Rows per page. */
const limit = 25;

export function workflowRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const routes = workRoutes(deps).inLocation;
  const { shown, sent } = routes;
  const find = (here: AsPerson<LocationContext>, request: IncomingRequest) =>
    carryOut(getWorkflow, here.caller, { workflow: pathId(request, "workflow") }, operating);
  const findRun = (here: AsPerson<LocationContext>, request: IncomingRequest) =>
    carryOut(getWorkflowRun, here.caller, { workflow_run: pathId(request, "run") }, operating);

  const signer = {
    at: "/workflows",
    list: "Workflows",
    label: "Secret of the workflow",
    signs: "every post of the workflow",
  } as const;
  const secret: SecretKind<NewSigningSecret> = {
    ...signer,
    lost: "The secret was shown once, and is not shown again. If you did not copy it, generate another one.",
    page: (here, made) => signingSecretPage(here, signer, made),
  };

  async function showWorkflow(
    here: AsPerson<LocationContext>,
    request: IncomingRequest,
    form: Pick<Parameters<typeof workflowPage>[1], "typed" | "faults"> = {},
  ) {
    const workflow = await find(here, request);
    const cursor = request.query.get("cursor");
    const status = runStatuses.find((name) => name === request.query.get("state"));
    const query = { cursor, limit, status, contact_id: undefined };
    const runs = await carryOut(listWorkflowRuns, here.caller, { workflow: workflow.id, query }, operating);
    return workflowPage(here, {
      workflow,
      runs: runs.data,
      filter: status,
      isContinued: Boolean(cursor),
      nextCursor: runs.next_cursor,
      ...form,
    });
  }

  return [
    shown({
      path: "/workflows",
      summary: "The workflows of a location.",
      may: listWorkflows,
      async show(here, { query }) {
        const cursor = query.get("cursor");
        const page = await carryOut(listWorkflows, here.caller, { query: { cursor, limit } }, operating);
        return workflowListPage(here, {
          workflows: page.data,
          isContinued: Boolean(cursor),
          nextCursor: page.next_cursor,
        });
      },
    }),
    shown({
      path: "/workflows/{workflow}",
      summary: "A workflow with its nodes and its runs.",
      may: getWorkflow,
      show: (here, request) => showWorkflow(here, request),
    }),
    sent({
      path: "/workflows/{workflow}/publish",
      summary: "Publishes the draft of a workflow.",
      may: publishWorkflow,
      async take(here, request) {
        const { id, name } = await find(here, request);
        const result = await submit(publishWorkflow, here.caller, { workflow: id }, operating);
        const warnings = "body" in result ? result.body.warnings.slice(0, 5) : [];
        return answerResult(deps, here, result, `/workflows/${id}`, {
          kind: "ok",
          title: [{ name }, " is published"],
          text: [warnings.join(" ")],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/workflows/{workflow}/unpublish",
      summary: "Unpublishes a workflow.",
      may: unpublishWorkflow,
      find,
      ask: (here, { id, name }) =>
        confirmPage(here, {
          at: "/workflows",
          above: { title: "Workflow", path: `/workflows/${id}` },
          title: html`Unpublish ${isolatedName(name)}?`,
          text: "Its runs end, and contacts are no longer enrolled.",
          action: here.to(`/workflows/${id}/unpublish`),
          button: "Unpublish",
          keep: "Keep it",
        }),
      async take(here, { id, name }) {
        const result = await submit(unpublishWorkflow, here.caller, { workflow: id }, operating);
        const ended = "body" in result ? result.body.ended : 0;
        return answerResult(deps, here, result, `/workflows/${id}`, {
          kind: "ok",
          title: [{ name }, " is unpublished"],
          text: [`Runs that ended: ${ended}.`],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/workflows/{workflow}/secret",
      summary: "Replaces the secret that signs the posts of a workflow and shows the new one once.",
      may: rotateWorkflowSecret,
      find,
      ask: (here, workflow, once) => rotateWorkflowSecretPage(here, { workflow, once }),
      async take(here, { id }, fields) {
        const args = { workflow: id, input: { grace_seconds: readGrace(fields) } };
        const result = await submitOnce(rotateWorkflowSecret, here.caller, args, operating, fields.get("once") ?? "");
        return answerSecret(here, secret, result, (faults) => answerResult(deps, here, { faults }, `/workflows/${id}`));
      },
    }),
    sent({
      path: "/workflows/{workflow}/enroll",
      summary: "Starts a run of a workflow for a contact.",
      may: enroll,
      async take(here, request, fields) {
        const { id } = await find(here, request);
        const typed = fields.get("contact_id") ?? "";
        const result = await enrollContact(() =>
          submit(enroll, here.caller, { workflow: id, input: { contact_id: toId(typed) ?? Number.NaN } }, operating),
        );
        if ("faults" in result) {
          return pageAnswer(422, await showWorkflow(here, request, { typed, faults: result.faults }));
        }
        const run = runOf(result.body);
        return answerWithNotice(deps, here, `/runs/${run.id}`, {
          kind: "ok",
          title: [`Contact ${run.contact_id} is enrolled`],
          text: [],
        });
      },
    }),
    shown({
      path: "/runs/{run}",
      summary: "A run of a workflow.",
      may: getWorkflowRun,
      show: async (here, request) => runPage(here, await findRun(here, request)),
    }),
    sent({
      path: "/runs/{run}/retry",
      summary: "Retries a failed run.",
      may: retryRun,
      async take(here, request) {
        const { id } = await findRun(here, request);
        const result = await submit(retryRun, here.caller, { workflow_run: id }, operating);
        return answerResult(deps, here, result, `/runs/${id}`, {
          kind: "ok",
          title: [`Run ${id} continues`],
          text: [],
        });
      },
    }),
    ...confirmedAction(routes, {
      path: "/runs/{run}/remove",
      summary: "Ends a run.",
      may: removeRun,
      find: findRun,
      ask: (here, { id, contact_id }) =>
        confirmPage(here, {
          at: "/workflows",
          above: { title: "Run", path: `/runs/${id}` },
          title: html`End run ${id}?`,
          text: `Contact ${contact_id} leaves the workflow at once. What was sent stays.`,
          action: here.to(`/runs/${id}/remove`),
          button: "End the run",
          keep: "Keep it",
        }),
      async take(here, { id }) {
        const result = await submit(removeRun, here.caller, { workflow_run: id }, operating);
        return answerResult(deps, here, result, `/runs/${id}`, {
          kind: "ok",
          title: [`Run ${id} has ended`],
          text: [],
        });
      },
    }),
  ];
}

/** A refusal of the enrollment, such as an active run of the contact, is a fault of its field. */
async function enrollContact<Body>(work: () => Promise<FormResult<Body>>): Promise<FormResult<Body>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === "insufficient_role") throw error;
    return { faults: { contact_id: error.details["message"] ?? describeRefusal(error.code).message ?? error.code } };
  }
}
