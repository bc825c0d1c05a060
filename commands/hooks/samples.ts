/** `crm hooks samples`: example payloads. */
import type { SampleView } from "../../src/crm/event-log/event.view.ts";
import { eventNames, events } from "../../src/vocabulary/events.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { eventArgument } from "../../terminal/input/given/event-name.ts";
import { table } from "../../terminal/output/table.ts";

export default class HooksSamples extends CrmCommand {
  static override description = `Shows what a webhook receives for an event, or lists the events and their sources.

Needs no database.`;
  static override jsonResult = "the envelope {id, event, created_at, data}, or a list of them";

  static override examples = [
    "<%= config.bin %> hooks samples",
    "<%= config.bin %> hooks samples contact.created",
    "<%= config.bin %> hooks samples form.submitted --json | curl -d @- http://127.0.0.1:4000/",
  ];

  static override args = { event: eventArgument(eventNames, { description: "The event, such as contact.created." })() };

  async run(): Promise<SampleView | SampleView[]> {
    const { args } = await this.parse(HooksSamples);
    const { eventSamples, getSample } = await import("../../src/crm/event-log/event.samples.ts");
    if (args.event !== undefined) {
      const sample = getSample(args.event);
      this.log(JSON.stringify(sample, null, 2));
      return sample;
    }
    const samples = eventSamples();
    const rows = samples.map(({ event }) => ({ event, raised_by: events[event].raisedBy }));
    this.log(table(rows, ["event", "raised_by"], { cuts: ["raised_by"] }));
    return samples;
  }
}
