/** The duty that deletes stored responses after their day. */
import type { Clock } from "../../kit/time/clock.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database } from "../../storage/database.ts";
import { limits } from "../../vocabulary/limits.ts";
import { forgetAnswers } from "./idempotency.ts";

export function answerDuty(database: Database, clock: Clock): Duty {
  return periodic({
    name: "delete expired idempotency keys",
    everySeconds: 600,
    clock,
    async run() {
      const before = new Date(clock.now().getTime() - limits.idempotencySeconds * 1000);
      const forgotten = await database.transaction((change) => forgetAnswers(change, before));
      return forgotten > 0 ? "more" : "done";
    },
  });
}
