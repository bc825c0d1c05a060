/** The operations of workspaces. Only the operator can create and list them, since this happens outside any workspace. */
import { z } from "zod";
import { operation } from "../../operation/operation.ts";
import * as queries from "./workspace.queries.ts";
import { twoFactorInput, workspaceInput } from "./workspace.schema.ts";
import * as service from "./workspace.service.ts";
import { twoFactorView, workspaceView } from "./workspace.view.ts";

export const listWorkspaces = operation({
  name: "listWorkspaces",
  summary: "Lists the workspaces of this service, oldest first.",
  noun: "Workspaces",
  within: "service",
  may: { scope: "none", role: "operator" },
  gives: z.array(workspaceView),
  read: (reader) => queries.listWorkspaces(reader),
});

export const createWorkspace = operation({
  name: "createWorkspace",
  summary: "Creates a workspace: a company with locations, people, tags and API keys of its own.",
  noun: "Workspaces",
  within: "service",
  may: { scope: "none", role: "operator" },
  input: workspaceInput,
  gives: workspaceView,
  audit: ({ id }) => ({ noun: "workspace", id }),
  change: (change, { input }) => service.createWorkspace(change, input),
});

export const updateWorkspace = operation({
  name: "updateWorkspace",
  summary: "Renames the workspace.",
  noun: "Workspaces",
  within: "workspace",
  may: { scope: "none", role: "owner" },
  input: workspaceInput,
  gives: workspaceView,
  audit: ({ id }) => ({ noun: "workspace", id }),
  change: (change, { input }) => service.renameWorkspace(change, input),
});

export const requireTwoFactor = operation({
  name: "requireTwoFactor",
  summary:
    "Requires two-factor sign-in of the people of the workspace, or no longer. API keys and apps are unaffected.",
  noun: "Workspaces",
  within: "workspace",
  may: { scope: "none", role: "owner" },
  input: twoFactorInput,
  gives: twoFactorView,
  audit: ({ id }) => ({ noun: "workspace", id }),
  change: (change, { input }) => service.requireTwoFactor(change, input),
});
