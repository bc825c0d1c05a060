/** What comes in for an invitation: who, as what, and where. */
import { z } from "zod";
import { nullableEmail } from "../../kit/input/fields.ts";
import { name, nullableName } from "../../kit/input/name.ts";
import { limits } from "../../vocabulary/limits.ts";
import { roles } from "../../vocabulary/states.ts";

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

/** What may be changed of a person themselves. */
export const personPatch = z.object({ name: name().optional(), email: email.optional() });

export type PersonPatch = z.output<typeof personPatch>;
