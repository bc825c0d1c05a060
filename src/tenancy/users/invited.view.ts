/** The results of an invitation and of a password reset: the link was mailed, or is shown to be passed on. */
import { z } from "zod";
import { roles } from "../../vocabulary/states.ts";

const mailed = z.literal(true).optional().describe("The link was mailed to the person.");
const once = "Works once; shown because no mail could be sent.";

export const invitedView = z
  .object({
    id: z.int(),
    email: z.string(),
    role: z.enum(roles),
    mailed,
    invite_url: z.string().optional().describe(`The link by which the person joins, valid for a week. ${once}`),
  })
  .meta({
    id: "InvitedUser",
    description: "An invited person. Has no link if the operator set the first password.",
    examples: [{ id: 2, email: "ada@example.com", role: "member", mailed: true }],
  });

export const resetView = z
  .object({
    id: z.int(),
    email: z.string(),
    mailed,
    reset_url: z.string().optional().describe(`The link for choosing a new password, valid for a day. ${once}`),
    setup_url: z
      .string()
      .optional()
      .describe("For the owner of a first start: the link that finishes the setup, valid for an hour. Works once."),
  })
  .meta({ id: "PasswordReset", description: "A password reset link, mailed or shown." });

export const twoFactorRemovedView = z.object({
  id: z.int(),
  email: z.string(),
  was_on: z.boolean().describe("Whether two-factor sign-in was on before."),
});
