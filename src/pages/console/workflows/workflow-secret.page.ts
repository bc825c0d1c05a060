/** The page that asks before the secret that signs the posts of a workflow is generated or replaced. */
import type { WorkflowView } from "../../../crm/workflows/workflow.view.ts";
import type { WorkView } from "../../as-person.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import { isolatedName } from "../../parts/name.ts";
import { confirmPage } from "../confirm.page.ts";
import { graceChoice } from "../grace.ts";

interface SecretAction {
  readonly workflow: Pick<WorkflowView, "id" | "name">;
  /** The one-time id of the form. */
  readonly once: string;
}

export function rotateWorkflowSecretPage(here: WorkView, { workflow: { id, name }, once }: SecretAction): Html {
  return confirmPage(here, {
    at: "/workflows",
    above: { title: "Workflow", path: `/workflows/${id}` },
    title: html`Generate a new secret for ${isolatedName(name)}?`,
    text: html`The posts of the workflow are signed with it, in the header <code>X-Service-Signature</code>. It is shown
      once. Until an old one ends, posts carry both signatures.`,
    action: here.to(`/workflows/${id}/secret`),
    hidden: { once },
    choices: graceChoice(),
    button: "Generate secret",
    kind: "primary",
    keep: "Not now",
  });
}
