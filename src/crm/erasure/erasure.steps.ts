/** The steps of an erasure, in order: each removes one kind of what is known of the person, in pieces of one transaction. */
import { keptAnswerStep } from "./steps/answer.step.ts";
import { conversationRowStep, conversationStep, fileStep } from "./steps/conversation.steps.ts";
import { deliveryStep } from "./steps/delivery.step.ts";
import type { ErasureStep } from "./steps/erasure-step.ts";
import { eventLinkStep, eventStep } from "./steps/event.steps.ts";
import { recordSteps } from "./steps/record.steps.ts";
import { searchStep } from "./steps/search.step.ts";

/** Answers and events are found by conversations, so their rows go after these; events that a step raises are emptied by a later one. */
export const erasureSteps: readonly ErasureStep[] = [
  keptAnswerStep,
  conversationStep,
  fileStep,
  eventLinkStep,
  conversationRowStep,
  ...recordSteps,
  eventStep,
  deliveryStep,
  searchStep,
];

export const firstStep = erasureSteps[0]!.name;
