/** update_contact: sets fields of the contact, with the limits and refusals of PATCH. */
import { readInput } from "../../../kit/input/read-input.ts";
import { updateContactInput } from "../../contacts/contact.schema.ts";
import { updateContact as update } from "../../contacts/contact.service.ts";
import type { NodeOf } from "../definition/node.schema.ts";
import type { Action } from "./action.ts";

export const updateContact: Action<"update_contact"> = async (change, { set }, { contactId, fill }) => {
  const filled: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(set)) {
    filled[field] = typeof value === "string" ? await fill(value) : value;
  }
  await update(change, contactId, readInput(updateContactInput, filled));
  return "done";
};

const keys = ["email", "phone", "external_ref"] as const;

/** Whether it takes locks of keys, which come before that of the contact (ADR 18): then it begins a transaction of its own. */
export function takesKeys({ set }: NodeOf<"update_contact">): boolean {
  return keys.some((key) => set[key] !== undefined);
}
