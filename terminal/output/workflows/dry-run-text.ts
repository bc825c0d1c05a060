/** A dry run as text: one line per step, with the time where it changes. */
import type { DryRunStep } from "../../../src/crm/workflows/dry-run/dry-run.view.ts";
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
  if ("did" in step) return nodeText(step.did);
  if ("took" in step) return `continues at ${step.took}`;
  if ("waits" in step) return waitText(step, timeZone);
  if ("ended" in step) return step.error === undefined ? `ends: ${step.ended}` : `ends: error. ${step.error}`;
  return "repeats";
}

function waitText({ waits, until, event }: Extract<DryRunStep, { waits: unknown }>, timeZone: string): string {
  const what = waits === "reply" ? "waits for a reply" : event === null ? "waits" : `waits for ${event}`;
  return until === null ? `${what}, without a timeout` : `${what} until ${showMoment(until, timeZone)}`;
}
