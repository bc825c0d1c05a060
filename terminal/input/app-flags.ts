/** The flags that say what an app is: those of `crm apps create` and `crm apps update`. */
import { Flags } from "@oclif/core";
import { scopeNames } from "../../src/vocabulary/scopes.ts";

export const redirectUriFlag = {
  description: "Where people are sent back to, once for each: https, or http on localhost.",
  multiple: true,
  multipleNonGreedy: true,
  helpValue: "URI",
} as const;

export const scopeFlag = Flags.option({
  description: "What the app may ask for, once for each scope.",
  options: scopeNames,
  multiple: true,
  multipleNonGreedy: true,
});
