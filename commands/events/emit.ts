/** `crm events emit`: reports an event of another tool. */
import { Flags } from "@oclif/core";
import type { ReportedEventView } from "../../src/crm/event-log/event.view.ts";
import { reportedNames } from "../../src/vocabulary/events.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { eventArgument } from "../../terminal/input/given/event-name.ts";
import { idFlag, locationFlags } from "../../terminal/input/flags.ts";

export default class EventsEmit extends CrmCommand {
  static override description = `Reports an event of another tool, as POST /events does.

It appears on the contact's timeline, moves the contact to the front of the list, and is sent to webhooks. A timeline shows the first members of the data, so put the most important
first.`;
  static override jsonResult = "{id, event, created_at}";

  static override examples = [
    `<%= config.bin %> events emit form.submitted --data '{"form":"Offer"}'`,
    "<%= config.bin %> events emit invoice.paid --data @invoice.json --contact 12",
    "cat order.json | <%= config.bin %> events emit payment.failed --data - --json",
  ];

  static override args = {
    event: eventArgument(reportedNames, { description: "The event, such as form.submitted." })({ required: true }),
  };

  static override flags = {
    ...locationFlags,
    contact: idFlag({ description: "The contact on whose timeline it appears." }),
    data: Flags.string({
      description: "The data: a JSON object, @FILE, or - for stdin.",
      helpValue: "JSON|@FILE|-",
    }),
    "occurred-at": Flags.string({ description: "When it happened, if not now.", helpValue: "TIME" }),
  };

  async run(): Promise<ReportedEventView> {
    const { args, flags } = await this.parse(EventsEmit);
    const [{ reportEvent }, { readGivenJson }] = await Promise.all([
      import("../../src/crm/event-log/event.operations.ts"),
      import("../../terminal/input/given/given-json.ts"),
    ]);
    const event = await this.carryOut(reportEvent, flags, {
      input: {
        event: args.event,
        contact_id: flags.contact ?? null,
        data: flags.data === undefined ? {} : await readGivenJson("data", flags.data),
        occurred_at: flags["occurred-at"] ?? null,
      },
    });
    this.log(`Recorded ${event.event} as event ${event.id}.`);
    return event;
  }
}
