/** Stages of pipelines, as the terminal takes them. */
import type { StageKind } from "../../src/vocabulary/states.ts";
import { WrongUsage } from "../failures.ts";

export interface GivenStage {
  readonly name: string;
  readonly kind: StageKind;
  readonly color?: string | undefined;
}

const stageForm = /^(.*\S)\s*:\s*(open|won|lost)\s*(?::\s*(#[0-9a-f]{6}))?$/is;

/** Reads a stage. A colon belongs to the name unless a kind follows the last one. */
export function readStage(text: string): GivenStage {
  const [, name, kind = "", color] = stageForm.exec(text.trim()) ?? [];
  if (name !== undefined) return { name, kind: kind.toLowerCase() as StageKind, color };
  if (!text.includes(":")) return { name: text, kind: "open" };
  throw new WrongUsage(
    `--stage is ${JSON.stringify(text)}; expected NAME:KIND, where KIND is open, won or lost, such as "Proposal:open".`,
  );
}

/** Reads a stage of a pipeline: `ID=NAME:KIND` is the one with this id, which is renamed; a known name, the stage that has it. */
export function readChangedStage(
  text: string,
  known: readonly { readonly id: number; readonly name: string; readonly kind: StageKind }[],
): GivenStage & { readonly id: number | null } {
  const [, id, rest = text] = /^\s*([0-9]{1,15})\s*=(.*)$/s.exec(text) ?? [];
  const stage = readStage(rest);
  const found = known.find((one) => (id === undefined ? isSame(one.name, stage.name) : one.id === Number(id)));
  if (id !== undefined && found === undefined)
    throw new WrongUsage(`--stage is ${JSON.stringify(text)}, and the pipeline has no stage ${id}.`);
  if (found === undefined) return { ...stage, id: null };
  return { ...stage, id: found.id, kind: rest.includes(":") ? stage.kind : found.kind };
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
