/** A contact as `crm contacts show` tells it: in the width of the terminal, with what each activity was about. */
import { expect, it } from "vitest";
import { fullContactSpecimen } from "../../src/crm/contacts/contact.specimen.ts";
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { columnsOf } from "../../terminal/output/columns.ts";
import { describeContact } from "../../terminal/output/records/contact-text.ts";

const at = "2026-03-01T17:00:00.000Z";
const actor = { type: "api_key" as const, id: 1, name: "Forms" };
const activity = (id: number, kind: string, data: ContactView["activities"][number]["data"]) => ({
  id,
  kind,
  actor: id === 1 ? null : actor,
  data,
  created_at: at,
});
const contact = {
  ...fullContactSpecimen,
  notes: [
    { id: 2, body: `Calls\nback ${"soon ".repeat(30)}`, pinned: false, user: null, created_at: at, updated_at: at },
    {
      id: 1,
      body: "Cut",
      pinned: false,
      user: { id: 1, name: "Grace" },
      created_at: at,
      updated_at: at,
      truncated: true,
    },
  ],
  conversations: [
    {
      id: 3,
      channel: { id: 1, name: "Front desk" },
      status: "open",
      snoozed_until: null,
      unread_count: 2,
      preview: "Hello?",
    },
  ],
  activities: [
    activity(5, "contact.updated", [
      { field: "company", old: null, new: "Engines" },
      { field: "city", old: "Boston", new: null },
    ]),
    activity(4, "contact.tag_removed", [{ field: "tag", old: "VIP", new: null }]),
    activity(3, "opportunity.stage_changed", [
      { field: "stage", old: { id: 1, name: "New" }, new: { id: 2, name: "Won" } },
    ]),
    activity(1, "contact.created", []),
  ],
} as unknown as ContactView;

it("tells what hangs on it and what happened, with times of the location", () => {
  const lines = describeContact(contact, { timeZone: "America/New_York", width: null });
  expect(lines.slice(0, 3)).toEqual(["Ada Lovelace (1)", "  first name: Ada", "  last name: Lovelace"]);
  expect(lines).toContain("  created at: 2026-03-01 07:00");
  expect(lines.slice(lines.indexOf("Conversations"))).toEqual([
    "Conversations",
    "  conversation 3 on Front desk: open, 2 unread: Hello?",
    "Notes",
    `  2026-03-01 12:00  Calls back ${"soon ".repeat(30)}`,
    "  2026-03-01 12:00  Cut … (the API lists whole notes) (Grace)",
    "Timeline",
    "  2026-03-01 12:00  contact.updated, company: Engines, city: Boston → - (Forms)",
    "  2026-03-01 12:00  contact.tag_removed, tag: VIP → - (Forms)",
    "  2026-03-01 12:00  opportunity.stage_changed, stage: New → Won (Forms)",
    "  2026-03-01 12:00  contact.created",
  ]);
});

it("breaks no line of a terminal", () => {
  const lines = describeContact(contact, { timeZone: "UTC", width: 80 }).flatMap((line) => line.split("\n"));
  expect(lines.filter((line) => columnsOf(line) > 80)).toEqual([]);
  expect(lines.join("\n")).toContain("\n    soon");
});
