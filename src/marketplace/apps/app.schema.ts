/** What comes in for an app: what to call it, where people may be sent back to, and what it may ask for. */
import { z } from "zod";
import { text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";
import { scopeNames } from "../../vocabulary/scopes.ts";
import { faultOfRedirectUri } from "./redirect-uri.ts";

const redirectUri = z.string().check((context) => {
  const fault = faultOfRedirectUri(context.value);
  if (fault !== undefined) context.issues.push({ code: "custom", input: context.value, message: fault });
});

/** Once each, in the order given. */
function listOf<Item extends z.ZodType>(item: Item, most: number) {
  return z
    .array(item)
    .min(1)
    .max(most)
    .transform((items) => [...new Set(items)]);
}

export const appInput = z.object({
  name: text(limits.name),
  redirect_uris: listOf(redirectUri, limits.redirectUris),
  scopes: listOf(z.enum(scopeNames), scopeNames.length * 2),
});

/** What is left out stays. */
export const appChange = appInput.partial();

export type AppInput = z.output<typeof appInput>;
export type AppChange = z.output<typeof appChange>;
