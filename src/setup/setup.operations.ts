/** The operation that sets a service up. */
import { operation } from "../operation/operation.ts";
import { Outcome } from "../operation/outcome.ts";
import { readAnswers, setupInput } from "./setup.schema.ts";
import * as service from "./setup.service.ts";
import { setupView } from "./setup.view.ts";

export const setUp = operation({
  name: "setUp",
  summary: "Creates the first workspace, location, owner and API key; null if a workspace exists already.",
  noun: "Workspaces",
  within: "service",
  may: { scope: "none", role: "operator" },
  input: setupInput,
  gives: setupView.nullable(),
  givesSecret: true,
  audit: (made) => made && { noun: "workspace", id: made.workspace.id },
  before: async (_reader, { input }) => readAnswers(input),
  change: async (change, { input, before }) => {
    const made = await service.setUp(change, before, input.sign_in, input.keep);
    return new Outcome(made, { isUnchanged: made === null });
  },
});
