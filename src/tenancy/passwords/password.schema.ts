/** The input of a new password: a length is required, and no composition rules (NIST SP 800-63B, 3.1.1.2). */
import { z } from "zod";
import { codePointLength } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";

const { shortest, longest } = limits.password;

/** Taken as typed: leading and trailing spaces are kept. */
export const newPassword = z.string().check((context) => {
  const length = codePointLength(context.value);
  const fault = faultOf(length);
  if (fault !== undefined) context.issues.push({ code: "custom", input: context.value, message: fault });
});

export const passwordInput = z.object({ password: newPassword });

function faultOf(length: number): string | undefined {
  if (length === 0) return `is required; it takes at least ${shortest} characters.`;
  if (length < shortest)
    return `has ${length} ${length === 1 ? "character" : "characters"}; ${shortest - length} more are needed.`;
  return length > longest ? `must not be longer than ${longest} characters.` : undefined;
}
