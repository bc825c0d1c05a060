/** What comes of an invitation, and of a link to another password: mailed, or a link to hand over. */
import { z } from "zod";
import { roles } from "../../vocabulary/states.ts";

const mailed = z.literal(true).optional().describe("The link was mailed to the person.");
const once = "It works once; it is shown because no mail could be sent.";

export const invitedView = z
  .object({
    id: z.int(),
    email: z.string(),
    role: z.enum(roles),
    mailed,
    invite_url: z.string().optional().describe(`Where the person chooses a password within a week. ${once}`),
  })
  .meta({
    id: "InvitedUser",
    description: "A person who was invited; without a link where they have a password already.",
  });

export const resetView = z
  .object({
    id: z.int(),
    email: z.string(),
    mailed,
    reset_url: z.string().optional().describe(`Where the person chooses another password within a day. ${once}`),
  })
  .meta({ id: "PasswordReset", description: "A link to another password, mailed or shown." });
