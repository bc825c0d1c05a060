/** The fields of an opportunity as flags, for create and update. */
import { Flags } from "@oclif/core";
import type { z } from "zod";
import type { opportunityPatch } from "../../src/crm/opportunities/opportunity.schema.ts";
import { WrongUsage } from "../failures.ts";
import { idFlag } from "./flags.ts";

/** An amount of money, in cents. */
const amountFlag = Flags.custom<number>({
  async parse(text, _context, { name }) {
    const [, whole = "", cents = ""] = /^(\d{1,14}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{2}))?$/.exec(text.trim()) ?? [];
    const amount = Number(`${whole.replaceAll(",", "")}${cents || "00"}`);
    if (whole !== "" && Number.isSafeInteger(amount)) return amount;
    throw new WrongUsage(`--${name} is ${JSON.stringify(text)}; expected an amount such as 12500 or 12,500.00.`);
  },
  helpValue: "AMOUNT",
});

export const opportunityFlags = {
  name: Flags.string({ description: "Its name." }),
  value: amountFlag({ description: "Its value, such as 12500 or 12,500.00." }),
  "owner-user-id": idFlag({ description: "The owner; crm users list has the ids." }),
  "lost-reason": Flags.string({ description: "Why it was lost; required for a lost stage." }),
};

interface OpportunityFlags {
  readonly name?: string | undefined;
  readonly value?: number | undefined;
  readonly "owner-user-id"?: number | undefined;
  readonly "lost-reason"?: string | undefined;
}

/** The flags as API fields, without omitted ones. */
export function toOpportunityFields(flags: OpportunityFlags): z.input<typeof opportunityPatch> {
  const fields = {
    name: flags.name,
    value_cents: flags.value,
    owner_user_id: flags["owner-user-id"],
    lost_reason: flags["lost-reason"],
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
