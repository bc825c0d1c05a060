/** Every event that the service raises has a shape, and every shape an example that it holds. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { eventShapes } from "../../src/crm/event-log/event-shapes.ts";
import type { ActiveContactId, EventRecord } from "../../src/events/event-record.ts";
import { findFaultsOf, someEvent } from "../support/events.ts";

const root = join(import.meta.dirname, "../..");

/** The files of the product in which `form` is found. */
function naming(form: RegExp): string[] {
  return globSync("src/**/*.ts", { cwd: root }).filter((path) => form.test(readFileSync(join(root, path), "utf8")));
}

describe("the shapes", () => {
  test.each(eventShapes.map((shape) => [shape.event, shape] as const))("%s holds its own example", (event, shape) => {
    expect(findFaultsOf({ event, data: shape.specimen })).toEqual([]);
  });

  it("are each of another name", () => {
    expect(new Set(eventShapes.map(({ event }) => event)).size).toBe(eventShapes.length);
  });

  it("are all that any noun defines", () => {
    const defined = globSync("src/**/*.events.ts", { cwd: root }).flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/(?:defineEvent|reported)\(\s*"([\w.]+)"/g)].map(
        ([, name]) => name,
      ),
    );
    expect(defined.toSorted()).toEqual(eventShapes.map(({ event }) => event).toSorted());
  });

  test.each([
    { what: "a field too many", data: { ...eventShapes[0]!.specimen, more: 1 } },
    { what: "no location", data: { ...eventShapes[0]!.specimen, location_id: undefined } },
    { what: "changes that change nothing", data: { ...eventShapes[0]!.specimen, changes: [] } },
  ])("refuse $what", ({ data }) => expect(findFaultsOf({ event: eventShapes[0]!.event, data })).toHaveLength(1));

  it("are asked of every event that is recorded", () => {
    // @ts-expect-error -- only defineEvent makes one
    const record: EventRecord = { event: "note.added", data: {} };
    expect(record.event).toBe("note.added");
    expect(naming(/as EventRecord\b/)).toEqual(["src/events/define-event.ts"]);
  });

  it("refuse a name that no noun defines", () => {
    expect(findFaultsOf({ event: "garage.opened", data: {} })[0]).toMatch(/^garage\.opened has no shape/);
  });
});

describe("a contact's timeline", () => {
  it("takes no plain id: who writes on it moves the contact to the front", () => {
    // @ts-expect-error -- only crm/contact-activity.ts makes one
    const record: EventRecord = { ...someEvent, contactId: 1 };
    expect(record.contactId).toBe(1 as ActiveContactId);
  });

  it("is opened in one place alone", () => {
    expect(naming(/as ActiveContactId\b/)).toEqual(["src/crm/contact-activity.ts"]);
  });

  it("is written around that place only by who writes the contact's own row, and last_activity_at with it", () => {
    const around = naming(/\basActive\b/).filter((path) => !path.startsWith("src/crm/contacts/"));
    expect(around).toEqual(["src/crm/contact-activity.ts"]);
  });
});
