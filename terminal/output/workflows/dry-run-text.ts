/** A dry run as text: whether the event starts it, then one line per step, with the time where it changes. */
import type { DryRunStep, TriggerJudgement } from "../../../src/crm/workflows/dry-run/dry-run.view.ts";
import { showValue } from "../../../src/kit/input/shown-value.ts";
import { showMoment } from "../moments.ts";
import { printable } from "../table.ts";
import { nodeText } from "./node-text.ts";

export function tellSteps(steps: readonly DryRunStep[], timeZone: string): string[] {
  const widest = Math.max(...steps.map(({ node }) => node.length));
  let before: string | null = null;
  return steps.map((step) => {
    const moment = showMoment(step.at, timeZone)!;
    const shown = moment === before ? " ".repeat(moment.length) : moment;
    before = moment;
    return `${shown}  ${step.node.padEnd(widest)}  ${printable(wordsOf(step, timeZone))}`;
  });
}

function wordsOf(step: DryRunStep, timeZone: string): string {
  if ("did" in step) return `${nodeText(step.did)}${onErrorText(step.did)}`;
  if ("failed" in step) return `fails: ${step.failed} Continues at ${step.took}`;
  if ("took" in step) return `continues at ${step.took}`;
  if ("waits" in step) return waitText(step, timeZone);
  if ("ended" in step) return step.error === undefined ? `ends: ${step.ended}` : `ends: error. ${step.error}`;
  return "repeats";
}

function waitText({ waits, until, event }: Extract<DryRunStep, { waits: unknown }>, timeZone: string): string {
  if (waits === "channel") return "waits for its channel, which is paused or cannot deliver";
  const what = waits === "reply" ? "waits for a reply" : event === null ? "waits" : `waits for ${event}`;
  return until === null ? `${what}, without a timeout` : `${what} until ${showMoment(until, timeZone)}`;
}

function onErrorText(node: object): string {
  return "on_error" in node && typeof node.on_error === "string" ? `; on an error continues at ${node.on_error}` : "";
}

/** With the conditions of the filter that do not hold. */
export function tellTrigger({ event, contact_id, starts, reasons, filter }: TriggerJudgement): string[] {
  const subject = `${event}, ${contact_id === null ? "no contact" : `contact ${contact_id}`}`;
  if (starts) return [`${subject}: starts the workflow`, ""];
  const unmet = filter.filter(({ holds }) => !holds);
  return [
    `${subject}: does not start the workflow`,
    ...reasons.map((reason) => `  ${printable(reason)}`),
    ...unmet.map(({ any }) => `    ${printable(any.map(conditionText).join("; or "))}`),
  ];
}

function conditionText({ field, op, value, given }: TriggerJudgement["filter"][number]["any"][number]): string {
  return `${field} ${op} ${showValue(value)}: it is ${showValue(given)}`;
}
