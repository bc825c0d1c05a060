/** update_contact: sets fields of the contact, with the limits and refusals of PATCH. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { updateContactInput } from "../../contacts/contact.schema.ts";
import type { ContactInput } from "../../contacts/contact.schema.ts";
import { updateContact as update } from "../../contacts/contact.service.ts";
import { keysOfInput } from "../../contacts/write/contact.write.ts";
import type { NodeOf } from "../definition/node.schema.ts";
import type { Action, Occasion } from "./action.ts";

type UpdateContact = NodeOf<"update_contact">;

export const updateContactAction: Action<"update_contact"> = async (change, node, { contactId, fill }) => {
  await update(change, contactId, await readSet(node, fill));
  return "done";
};

async function readSet({ set }: UpdateContact, fill: Occasion["fill"]): Promise<ContactInput> {
  const filled: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(set)) {
    filled[field] = typeof value === "string" ? await fill(value) : value;
  }
  return readInput(updateContactInput, filled);
}

const keys = ["email", "phone", "external_ref"] as const;

/** Whether it takes locks of keys, which come before that of the contact (ADR 18): then it begins a transaction of its own. */
export function takesKeys({ set }: UpdateContact): boolean {
  return keys.some((key) => set[key] !== undefined);
}

/** The keys that it locks, if the contact is as `fill` finds it. */
export async function keysToLock(
  change: Change<LocationContext>,
  node: UpdateContact,
  fill: Occasion["fill"],
): Promise<readonly string[]> {
  return keysOfInput(change, await readSet(node, fill));
}
