/** The files that other programs export, as they write them: each is imported as it comes, and nothing goes missing unsaid. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

interface Row {
  readonly file: string;
  readonly flags?: readonly string[];
  /** What each contact says; a field that is not named is empty. */
  readonly contacts: readonly Record<string, unknown>[];
  readonly refused?: readonly number[];
  /** Columns that are not imported and are reported as such. */
  readonly leftOut: readonly string[];
  readonly createdTags?: readonly string[];
}

const rows: Row[] = [
  {
    file: "hubspot.csv",
    contacts: [
      {
        first_name: "Iris",
        last_name: "Example",
        email: "iris@example.com",
        phone_display: "(415) 555-0131",
        company: "Example Bakery",
        address1: "1 First Street",
        city: "Oakland",
        state: "CA",
        zip: "94607",
        source: "Organic Search",
        external_ref: "70010001",
      },
      {
        first_name: "Otto",
        last_name: "Sample, Jr.",
        email: "otto@example.com",
        phone_display: "(415) 555-0142",
        company: 'Sample "Tools" Inc.',
        state: "NY",
        source: "Offline Sources",
        external_ref: "70010002",
      },
    ],
    flags: ["--map", "Record ID=external_ref"],
    refused: [4],
    leftOut: ["Mobile Phone Number", "Additional email addresses", "Contact owner", "Country/Region"],
  },
  {
    file: "google-contacts.csv",
    contacts: [
      {
        first_name: "Zoë",
        last_name: "Example",
        email: "zoe@example.com",
        phone_display: "(212) 555-0151",
        company: "Example Garden",
        address1: "5 Fifth Avenue",
        city: "New York",
        state: "NY",
        zip: "10011",
      },
      { first_name: "Ben", last_name: "Sample", email: "ben@example.com", phone_display: "+44 20 7946 0991" },
      { company: "Example Hall", phone_display: "(212) 555-0153" },
    ],
    leftOut: ["Notes", "Labels", "E-mail 1 - Value", "Phone 1 - Value"],
  },
  {
    file: "google-contacts-2023.csv",
    contacts: [
      {
        first_name: "Mina",
        last_name: "Example",
        email: "mina@example.com",
        phone_display: "(312) 555-0161",
        company: "Example Press",
        address1: "6 Lake Street",
        city: "Chicago",
        state: "IL",
        zip: "60601",
      },
      { first_name: "Paul", last_name: "Sample", phone_display: "(312) 555-0162" },
    ],
    leftOut: ["Name", "Additional Name", "E-mail 2 - Value", "Phone 1 - Value"],
  },
  {
    file: "outlook.csv",
    contacts: [
      {
        first_name: "Lena",
        last_name: "Example",
        email: "lena@example.com",
        phone_display: "(617) 555-0173",
        company: "Example Books",
        // The ZIP code of her home is no part of this address.
        address1: "7 Harbor Road\r\nFloor 2",
        city: "Boston",
        state: "MA",
      },
      {
        first_name: "Jon",
        last_name: "Sample",
        email: "jon@example.com",
        phone_display: "(617) 555-0174",
        address1: "71 Hill Lane",
        city: "Salem",
        state: "MA",
        zip: "01970",
      },
    ],
    leftOut: ["E-mail 2 Address", "Business Phone", "Home Phone", "Home Street", "Home Postal Code", "Notes"],
  },
  {
    file: "outlook-windows-1252.csv",
    flags: ["--encoding", "windows-1252"],
    contacts: [
      {
        first_name: "André",
        last_name: "Example",
        email: "andre@example.com",
        phone_display: "(503) 555-0181",
        company: "Example Café",
        city: "Portland",
        state: "OR",
      },
    ],
    leftOut: ["E-mail Display Name", "Priority"],
  },
  {
    file: "gohighlevel.csv",
    contacts: [
      {
        first_name: "tess",
        last_name: "example",
        email: "tess@example.com",
        phone_display: "(512) 555-0191",
        company: "Example Gym",
        source: "website form",
        address1: "9 Ninth Street",
        city: "Austin",
        state: "TX",
        zip: "78701",
        timezone: "America/Chicago",
      },
      { phone_display: "(512) 555-0192", source: "missed call", dnd: true },
    ],
    leftOut: ["Contact Id", "Additional Emails", "Country"],
    createdTags: ["new lead", "summer"],
  },
];

const empty = {
  first_name: "",
  last_name: "",
  ...Object.fromEntries(
    "email phone_display company source interest address1 city state zip timezone external_ref"
      .split(" ")
      .map((field) => [field, null]),
  ),
  dnd: false,
};

describe("crm contacts import", () => {
  let terminal: Terminal;
  beforeEach(async () => {
    terminal = await createTerminal("sqlite");
    await setUpAcme(terminal);
  });
  afterEach(() => terminal.close());

  test.each(rows)("$file", async ({ file, flags = [], contacts, refused = [], leftOut, createdTags = [] }) => {
    const parameters = ["contacts", "import", join(import.meta.dirname, "../exports", file), ...flags, "--json"];
    const { code, stdout } = await terminal.run(parameters);
    const report = JSON.parse(stdout);
    expect({ code, ...report }).toMatchObject({
      code: refused.length > 0 ? 1 : 0,
      created: contacts.length,
      updated: 0,
      refused: refused.map((line) => ({ line })),
    });
    expect(report.left_out.map(({ column }: { column: string }) => column)).toEqual(
      expect.arrayContaining([...leftOut]),
    );
    expect(report.created_tags).toEqual(createdTags);
    const exported: Record<string, unknown>[] = await terminal.json("contacts", "export");
    expect(exported.map((contact) => pick(contact, Object.keys(empty)))).toEqual(
      contacts.map((contact) => ({ ...empty, ...contact })),
    );

    const again = JSON.parse((await terminal.run(parameters)).stdout);
    const nothingNew = { created: 0, unchanged: contacts.length, created_tags_count: 0, created_tags: [] };
    expect(again).toEqual({ ...report, ...nothingNew });
  });
});

function pick(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}
