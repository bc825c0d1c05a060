/** The response shape of a session: no part of its token. */
import { z } from "zod";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { toBrowserName } from "./browser-name.ts";

export const sessionView = z
  .object({
    id: z.int(),
    browser: z.string().meta({ description: "What the browser said of itself at sign-in." }),
    signed_in_at: z.string(),
    last_used_at: z.string().meta({ description: "To the hour." }),
  })
  .meta({ id: "Session", description: "A browser in which a person is signed in." });

export type SessionView = z.output<typeof sessionView>;

export interface SessionRow {
  readonly id: number;
  readonly user_agent: string | null;
  readonly created_at: number;
  readonly used_at: number;
}

export function toSessionView({ id, user_agent, created_at, used_at }: SessionRow): SessionView {
  return {
    id,
    browser: toBrowserName(user_agent),
    signed_in_at: toTimestamp(created_at),
    last_used_at: toTimestamp(used_at),
  };
}
