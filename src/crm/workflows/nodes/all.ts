/** Every type of node. A new one is a file here and a line in this list: schema, checks, engine, dry run, terminal and documents fold over it. */
import type { z } from "zod";
import { createNodeTypes } from "../definition/node-types.ts";
import { addNoteNode } from "./add-note.ts";
import { addTagNode } from "./add-tag.ts";
import { assignOwnerNode } from "./assign-owner.ts";
import { branchNode } from "./control/branch.ts";
import { createTaskNode } from "./create-task.ts";
import { exitNode } from "./control/exit.ts";
import { goalNode } from "./control/goal.ts";
import { moveStageNode } from "./move-stage.ts";
import { removeTagNode } from "./remove-tag.ts";
import { sendMessageNode } from "./send-message.ts";
import { splitNode } from "./control/split.ts";
import { startWorkflowNode } from "./start-workflow.ts";
import { stopWorkflowNode } from "./stop-workflow.ts";
import { updateContactNode } from "./update-contact.ts";
import { waitNode } from "./control/wait.ts";
import { webhookNode } from "./webhook.ts";

/** In the order in which people read them. */
const all = [
  sendMessageNode,
  addTagNode,
  removeTagNode,
  createTaskNode,
  addNoteNode,
  updateContactNode,
  assignOwnerNode,
  moveStageNode,
  startWorkflowNode,
  stopWorkflowNode,
  branchNode,
  splitNode,
  goalNode,
  webhookNode,
  exitNode,
  waitNode,
] as const;

export const workflowNodes = createNodeTypes(all);

/** A node of one of these types, as a published definition holds it. */
export type WorkflowNode = z.output<(typeof all)[number]["schema"]>;
