/** What a new service is set up with, each answer judged by the operation that makes its record alone. */
import { z } from "zod";
import { readInput } from "../kit/input/read-input.ts";
import { locationInput } from "../tenancy/locations/location.schema.ts";
import { invitation } from "../tenancy/users/user.schema.ts";
import { workspaceInput } from "../tenancy/workspaces/workspace.schema.ts";
import type { SetupView } from "./setup.view.ts";

/** How the owner will sign in: by a password whose hash this is, by a link on which they choose one, or not yet. */
export type OwnerSignIn = { readonly passwordHash: string } | "link" | "later";

/** The answers of a person. Time zone and country are those of the location; it has defaults for both. */
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
      (value) => value === "link" || value === "later" || (typeof value === "object" && value !== null),
      "must be given.",
    )
    .default("later"),
  /** Stores the key where its owner will find it. If it fails, nothing is set up. */
  keep: z.custom<(made: SetupView) => Promise<void>>((value) => typeof value === "function").optional(),
});

export type SetupAnswers = z.output<z.ZodObject<typeof answers>>;

/** What an unconfigured service starts with; all of it can be changed afterwards. */
export const defaultAnswers: SetupAnswers = {
  workspace: "My workspace",
  location: "Main location",
  owner_email: "owner@example.com",
};

const readers: { readonly [Name in keyof SetupAnswers]-?: (answer: string) => unknown } = {
  workspace: (name) => readInput(workspaceInput, { name }),
  location: (name) => readInput(locationInput, { name }),
  owner_email: (email) => readInput(invitation, { email, role: "owner" }),
  timezone: (timezone) => readInput(locationInput, { name: defaultAnswers.location, timezone }),
  country: (country) => readInput(locationInput, { name: defaultAnswers.location, country }),
};

/** Refuses one answer alone, in the words in which it is refused among all of them: for questions that are asked one after the other. */
export function judgeAnswer(name: keyof SetupAnswers, answer: string): void {
  readers[name](answer);
}

/** The parts of a setup, each held against its schema. Refuses like the operations that make them one by one. */
export function readAnswers({ workspace, location, owner_email: email, timezone, country }: SetupAnswers) {
  return {
    workspace: readInput(workspaceInput, { name: workspace }),
    location: readInput(locationInput, { name: location, timezone, country }),
    owner: readInput(invitation, { email, role: "owner" }),
  };
}

export type SetupParts = ReturnType<typeof readAnswers>;
