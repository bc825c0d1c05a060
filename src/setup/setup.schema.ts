/** The input of a setup; each part is validated by the operation that creates its record. */
import { z } from "zod";
import { readInput } from "../kit/input/read-input.ts";
import { placeholderEmail } from "../tenancy/invitations/setup-link.service.ts";
import { locationInput } from "../tenancy/locations/location.schema.ts";
import { invitation } from "../tenancy/users/user.schema.ts";
import { workspaceInput } from "../tenancy/workspaces/workspace.schema.ts";
import type { SetupView } from "./setup.view.ts";

/** How the owner signs in: with a password (its hash), with a link to set one, with a link to finish the setup in the browser, or not yet. */
export type OwnerSignIn = { readonly passwordHash: string } | "link" | "setup" | "later";

/** The answers to the prompts. Time zone and country are those of the location, with defaults. */
const answers = {
  workspace: z.string(),
  location: z.string(),
  owner_email: z.string(),
  timezone: z.string().optional(),
  country: z.string().optional(),
};

export const setupInput = z.object({
  ...answers,
  sign_in: z
    .custom<OwnerSignIn>(
      (value) => ["link", "setup", "later"].includes(value as string) || (typeof value === "object" && value !== null),
      "must be given.",
    )
    .default("later"),
  /** Stores the key. If it fails, nothing is set up. */
  keep: z.custom<(made: SetupView) => Promise<void>>((value) => typeof value === "function").optional(),
});

export type SetupAnswers = z.output<z.ZodObject<typeof answers>>;

/** The defaults of an unconfigured service, which can be changed later. */
export const defaultAnswers: SetupAnswers = {
  workspace: "My workspace",
  location: "Main location",
  owner_email: placeholderEmail,
};

const readers: { readonly [Name in keyof SetupAnswers]-?: (answer: string) => unknown } = {
  workspace: (name) => readInput(workspaceInput, { name }),
  location: (name) => readInput(locationInput, { name }),
  owner_email: (email) => readInput(invitation, { email, role: "owner" }),
  timezone: (timezone) => readInput(locationInput, { name: defaultAnswers.location, timezone }),
  country: (country) => readInput(locationInput, { name: defaultAnswers.location, country }),
};

/** Validates a single answer, with the same errors as the whole input, for prompts. */
export function judgeAnswer(name: keyof SetupAnswers, answer: string): void {
  readers[name](answer);
}

/** Validates the parts of a setup, with the errors of the individual operations. */
export function readAnswers({ workspace, location, owner_email: email, timezone, country }: SetupAnswers) {
  return {
    workspace: readInput(workspaceInput, { name: workspace }),
    location: readInput(locationInput, { name: location, timezone, country }),
    owner: readInput(invitation, { email, role: "owner" }),
  };
}

export type SetupParts = ReturnType<typeof readAnswers>;
