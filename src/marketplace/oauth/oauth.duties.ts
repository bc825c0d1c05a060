/** The duty of OAuth: deletes expired requests, codes and tokens. */
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { forgetOauth } from "./tokens/token.service.ts";

export function oauthDuty(database: Database, clock: Clock): Duty {
  return periodic({
    name: "delete expired codes and tokens",
    everySeconds: 3600,
    clock,
    async run() {
      const now = clock.now();
      const forgotten = await database.transaction((change) => forgetOauth(change, now));
      return forgotten > 0 ? "more" : "done";
    },
  });
}
