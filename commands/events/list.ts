/** `crm events list`: reads and follows the event log. */
import { setTimeout as sleep } from "node:timers/promises";
import { Flags } from "@oclif/core";
import type { LoggedEventView } from "../../src/crm/event-log/event.view.ts";
import type { Caller } from "../../src/events/caller.ts";
import type { Service } from "../../src/service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import type { EventName } from "../../src/vocabulary/events.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { eventFlag } from "../../terminal/input/given/event-name.ts";
import { countFlag, locationFlags } from "../../terminal/input/flags.ts";
import { stopSignal } from "../../terminal/signals.ts";

/** Poll interval in milliseconds: new events appear promptly at little cost for the database. */
const pause = 250;

interface LogQuery {
  /** null: start with the latest events. */
  readonly after: number | null;
  readonly limit: number;
  readonly event: EventName[] | undefined;
  readonly follow: boolean;
}

export default class EventsList extends CrmCommand {
  static override description = `Prints the event log in order: the latest events, or those after a position.

--follow continues with new events until Ctrl-C, and loses none. A worker assigns positions ("crm serve" runs one); events without a position are not shown yet.`;
  static override jsonResult = "one line per event, as GET /events shows it";

  static override examples = [
    "<%= config.bin %> events list",
    "<%= config.bin %> events list --follow --event contact.created --event form.submitted",
    "<%= config.bin %> events list --after 1200 --limit 1000 --json",
  ];

  static override flags = {
    ...locationFlags,
    event: eventFlag({
      description: "Only events of this name, repeatable.",
      multiple: true,
      multipleNonGreedy: true,
    }),
    after: Flags.string({
      description: "The position to continue after; the latest events by default.",
      helpValue: "POSITION",
    }),
    limit: countFlag(limits.latestEvents, {
      description: "How many to print at most, before --follow continues.",
      default: 50,
    }),
    follow: Flags.boolean({ char: "f", description: "Continue with new events." }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsList);
    const query: LogQuery = {
      after: flags.after === undefined ? null : toPosition(flags.after),
      limit: flags.limit,
      event: flags.event,
      follow: flags.follow,
    };
    const [{ printStream }, { hasUnstamped }] = await Promise.all([
      import("../../terminal/output/print-stream.ts"),
      import("../../src/events/positions.ts"),
    ]);
    const print = async (caller: Caller, service: Service) => {
      await printStream(this.lines(caller, service, query), { atOnce: query.follow });
      if (!query.follow && (await hasUnstamped(service.database))) {
        this.logToStderr(
          "Some events have no position yet: a worker assigns it (crm serve has one built in; crm worker --once).",
        );
      }
    };
    await this.inReach(flags, print);
  }

  /** Yields events to print. */
  private async *lines(
    caller: Caller,
    { carryOut }: Service,
    { after: first, limit, event: names, follow }: LogQuery,
  ): AsyncGenerator<string> {
    const [{ positionBefore, readEventLog }, { eventLine }] = await Promise.all([
      import("../../src/crm/event-log/event.operations.ts"),
      import("../../terminal/output/records/event-line.ts"),
    ]);
    const show = (one: LoggedEventView) => `${this.jsonEnabled() ? JSON.stringify(one) : eventLine(one)}\n`;
    const event = names?.join(",");
    const stopped = stopSignal();
    let after = first ?? (await carryOut(positionBefore, caller, { query: { limit, event } })).position;
    for (let left = follow ? Number.POSITIVE_INFINITY : limit; left > 0 && !stopped.aborted;) {
      const most = Math.min(left, limits.eventPageSize);
      const page = await carryOut(readEventLog, caller, { query: { after: String(after), limit: most, event } });
      for (const one of page.data) {
        this.hasAnswered = true;
        yield show(one);
      }
      after = page.last_position;
      left -= page.data.length;
      if (page.has_more) continue;
      if (!follow) return;
      // A stop signal ends the pause.
      await sleep(pause, undefined, { signal: stopped }).catch(() => {});
    }
  }
}

function toPosition(text: string): number {
  const position = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new WrongUsage(`--after is ${JSON.stringify(text)}; expected a position: 0 or a positive integer.`);
}
