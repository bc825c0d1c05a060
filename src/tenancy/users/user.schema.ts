/** The input of an invitation, and of an update of a person. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { nullableEmail, recordId } from "../../kit/input/fields.ts";
import { name, nullableName } from "../../kit/input/name.ts";
import { limits } from "../../vocabulary/limits.ts";
import { roles } from "../../vocabulary/states.ts";
import { newPassword } from "../passwords/password.schema.ts";

/** An e-mail address with the rules of contacts, but required. */
export const emailInput = nullableEmail(limits.contact.email)
  .unwrap()
  .unwrap()
  .transform((value, context) => {
    if (typeof value === "string") return value;
    context.issues.push({ code: "custom", input: value, message: "is required." });
    return z.NEVER;
  });

export const invitation = z.object({
  email: emailInput,
  name: nullableName(),
  role: z.enum(roles),
});

export type Invitation = z.output<typeof invitation>;

const locationIds = z.array(recordId()).readonly().nullable().optional();

export const invitationInput = creation({
  ...invitation.shape,
  location_ids: locationIds.describe(
    "null: every location, including future ones. Owners always have access to every location.",
  ),
  password: newPassword.optional().describe("A first password. Only the operator can set it."),
}).meta({ examples: [{ email: "ada@example.com", name: "Ada Lovelace", role: "member", location_ids: [1] }] });

/** The updatable fields of the person's account. */
const personPatch = z.object({ name: name().optional(), email: emailInput.optional() });

/** What a person changes in their own account without a password. */
export const accountPatch = z.object({ name: name() });

export type PersonPatch = z.output<typeof personPatch>;

export const userPatch = personPatch.extend({
  role: z.enum(roles).optional(),
  location_ids: locationIds.describe("Replaces the person's locations; null: every location, including future ones."),
});
