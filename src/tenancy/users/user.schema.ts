/** What comes in for an invitation (who, as what, and where), and to change a person. */
import { z } from "zod";
import { nullableEmail, recordId } from "../../kit/input/fields.ts";
import { name, nullableName } from "../../kit/input/name.ts";
import { limits } from "../../vocabulary/limits.ts";
import { roles } from "../../vocabulary/states.ts";
import { newPassword } from "../passwords/password.schema.ts";

/** An e-mail address as contacts have it, but required. */
const email = nullableEmail(limits.contact.email).transform((value, context) => {
  if (typeof value === "string") return value;
  context.issues.push({ code: "custom", input: value, message: "is required." });
  return z.NEVER;
});

export const invitation = z.object({
  email,
  name: nullableName(),
  role: z.enum(roles),
});

export type Invitation = z.output<typeof invitation>;

const locationIds = z.array(recordId()).readonly().nullable().optional();

export const invitationInput = invitation.extend({
  location_ids: locationIds.describe("null: every location, those yet to come included. An owner reaches every one."),
  password: newPassword.optional().describe("A first password, which only the operator can give."),
});

/** What may be changed of a person themselves. */
const personPatch = z.object({ name: name().optional(), email: email.optional() });

export type PersonPatch = z.output<typeof personPatch>;

export const userPatch = personPatch.extend({
  role: z.enum(roles).optional(),
  location_ids: locationIds.describe("Replaces all of their locations; null: every one, those yet to come included."),
});
