/** All events of the service, with the schema of `data` and an example. */
import type { EventShape } from "../../events/define-event.ts";
import { locationCreated, locationUpdated } from "../../tenancy/locations/location.events.ts";
import { userInvited } from "../../tenancy/users/user.events.ts";
import { ping } from "../../webhooks/hooks/hook.events.ts";
import {
  contactCreated,
  contactDeleted,
  contactTagAdded,
  contactTagRemoved,
  contactUpdated,
} from "../contacts/contact.events.ts";
import { conversationCreated, conversationUpdated } from "../conversations/conversation.events.ts";
import { messageFailed, messageReceived, messageSent } from "../conversations/messages/message.events.ts";
import { noteAdded } from "../notes/note.events.ts";
import { reportedEvents } from "./reported.events.ts";
import { opportunityCreated, opportunityStageChanged } from "../opportunities/opportunity.events.ts";
import { taskCompleted, taskCreated } from "../tasks/task.events.ts";
import { runFinished, runStarted } from "../workflow-runs/workflow-run.events.ts";

export const eventShapes: readonly EventShape[] = [
  ping,
  locationCreated,
  locationUpdated,
  userInvited,
  contactCreated,
  contactUpdated,
  contactDeleted,
  contactTagAdded,
  contactTagRemoved,
  noteAdded,
  opportunityCreated,
  opportunityStageChanged,
  taskCreated,
  taskCompleted,
  ...Object.values(reportedEvents),
  conversationCreated,
  conversationUpdated,
  messageReceived,
  messageSent,
  messageFailed,
  runStarted,
  runFinished,
];
