/** What an operation says about its audit entry. */
import type { Reader } from "../../events/caller.ts";
import type { AuditEntry, AuditSubject } from "./record-audit.ts";

export interface FactsOfChange extends AuditSubject, Pick<AuditEntry, "details"> {
  /** The workspaces whose logs show it, for a change of a person's account; default: the caller's workspace. */
  readonly workspaceIds?: readonly (number | null)[];
}

/** null for no single record; undefined for no entry, such as for the second page of an export. */
export type AuditFacts = FactsOfChange | null | undefined;

export type FindFacts<Body, Given> = (
  body: Body,
  args: Given,
  reader: Reader,
) => AuditFacts | Promise<NonNullable<AuditFacts> | undefined>;
