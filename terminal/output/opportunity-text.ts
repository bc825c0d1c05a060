/** An opportunity as text. */
import type { OpportunityView } from "../../src/crm/opportunities/opportunity.view.ts";
import { showCents } from "./money.ts";
import { printable } from "./table.ts";

/** Within a sentence: `opportunity 3 (Difference engine)`. */
export function nameOpportunity({ id, name }: Pick<OpportunityView, "id" | "name">): string {
  return name === null ? `opportunity ${id}` : `opportunity ${id} (${printable(name)})`;
}

/** Its stage: `Proposal, 12,500.00`, or `Lost, 12,500.00, Too expensive`. */
export function describeStanding({ stage, value_cents, lost_reason }: OpportunityView): string {
  return [stage.name, showCents(value_cents), ...(lost_reason === null ? [] : [lost_reason])].map(printable).join(", ");
}
