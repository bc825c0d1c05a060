/** Headers of the usual exports, and what becomes of the cells below them. */
import { describe, expect, test } from "vitest";
import { mapColumns, readRow } from "../../src/crm/contacts/transfer/csv-columns.ts";
import { contactFieldNames } from "../../src/crm/contacts/contact.fields.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";

/** field: column, for every field that has one. */
function mapped(header: string, chosen: Record<string, string> = {}): Record<string, string> {
  const { columns, columnsByField } = mapColumns(header.split(","), chosen);
  return Object.fromEntries(
    [...columnsByField].map(([field, found]) => [field, found.map((index) => columns[index]).join(" | ")]),
  );
}

describe("mapColumns", () => {
  test("as many columns as a spreadsheet has, and thousands of them chosen, in a moment", () => {
    const header = ["email", ...Array.from({ length: 16_383 }, (_, place) => `Column ${place}`)];
    const chosen = Object.fromEntries(header.slice(1, 5001).map((column) => [column, "interest"]));
    const fields = Array.from(
      { length: 100 },
      (_, place) => ({ id: place, key: `key_${place}`, name: `Key ${place}`, type: "text", options: [] }) as const,
    );
    const began = process.cpuUsage();
    expect(mapColumns(header, chosen, fields).columnsByField.get("interest")).toHaveLength(5000);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1500);
  });

  test.each([
    [
      "a spreadsheet",
      "first_name,last_name,company_name,address,city,county,state,zip,phone1,phone2,email,web",
      {
        first_name: "first_name",
        last_name: "last_name",
        company: "company_name",
        address1: "address",
        city: "city",
        state: "state",
        zip: "zip",
        phone: "phone1 | phone2",
        email: "email",
      },
    ],
    [
      "HubSpot",
      "Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Company Name,Street Address,City,State/Region,Postal Code,Lead Source",
      {
        first_name: "First Name",
        last_name: "Last Name",
        email: "Email",
        phone: "Phone Number | Mobile Phone Number",
        company: "Company Name",
        address1: "Street Address",
        city: "City",
        state: "State/Region",
        zip: "Postal Code",
        source: "Lead Source",
      },
    ],
    [
      "Google Contacts",
      "Given Name,Family Name,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value,Organization 1 - Name,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code",
      {
        first_name: "Given Name",
        last_name: "Family Name",
        email: "E-mail 1 - Value | E-mail 2 - Value",
        phone: "Phone 1 - Value",
        company: "Organization 1 - Name",
        address1: "Address 1 - Street",
        city: "Address 1 - City",
        state: "Address 1 - Region",
        zip: "Address 1 - Postal Code",
      },
    ],
    [
      "Outlook",
      "First Name,Last Name,Company,Business Street,Business City,Business State,Business Postal Code,Home Phone,Business Phone,Mobile Phone,E-mail Address,E-mail 2 Address",
      {
        first_name: "First Name",
        last_name: "Last Name",
        company: "Company",
        address1: "Business Street",
        city: "Business City",
        state: "Business State",
        zip: "Business Postal Code",
        phone: "Mobile Phone | Business Phone | Home Phone",
        email: "E-mail Address | E-mail 2 Address",
      },
    ],
    [
      "GoHighLevel",
      "Contact Id,First Name,Last Name,Business Name,Phone,Email,Source,Timezone,DND",
      {
        first_name: "First Name",
        last_name: "Last Name",
        company: "Business Name",
        phone: "Phone",
        email: "Email",
        source: "Source",
        timezone: "Timezone",
        dnd: "DND",
      },
    ],
  ])("%s", (_name, header, expected) => {
    expect(mapped(header)).toEqual(expected);
  });

  test("every field is recognised by its own name", () => {
    expect(mapped(contactFieldNames.join(","))).toEqual(
      Object.fromEntries(contactFieldNames.map((field) => [field, field])),
    );
  });

  test("what is mapped wins over what is recognised", () => {
    expect(mapped("Email,Work,Record ID", { work: "email", "Record ID": "external_ref" })).toEqual({
      email: "Work | Email",
      external_ref: "Record ID",
    });
  });

  test.each([
    ["Email", { Phone: "phone" }, 'The file has no column "Phone"; it has Email.'],
    ["Email,Shoe", { Shoe: "shoe_size" }, 'There is no field "shoe_size"; there are first_name, last_name, '],
    ["Shoe,,Hat", {}, "No column of the file is a known field: Shoe, column 2, Hat."],
  ])("%s %j is refused", (header, chosen, sentence) => {
    expect(() => mapped(header, chosen as Record<string, string>)).toThrow(Invalid);
    expect(() => mapped(header, chosen as Record<string, string>)).toThrow(sentence);
  });
});

describe("readRow", () => {
  const mapping = mapColumns(["email", "phone", "mobile", "dnd", "owner_user_id", "shoe"]);

  test.each([
    ["an empty cell gives nothing", ["a@x.com", " ", "", "", "", ""], { email: "a@x.com" }, []],
    ["the better column is read, and the other is left out", ["", "1", "2", "", "", ""], { phone: "1" }, [2]],
    ["the other is read where the better one is empty", ["", "", "2", "", "", ""], { phone: "2" }, []],
    ["words become what the field takes", ["", "", "", "Yes", "12", "44"], { dnd: true, owner_user_id: 12 }, [5]],
    [
      "and stay what they are when they are none",
      ["", "", "", "maybe", "Nora", ""],
      { dnd: "maybe", owner_user_id: "Nora" },
      [],
    ],
    ["cells beyond the header are left out", ["", "1", "", "", "", "", "x"], { phone: "1" }, [6]],
    ["a short row is a row", ["a@x.com"], { email: "a@x.com" }, []],
  ])("%s", (_name, cells, fields, unused) => {
    expect(readRow(mapping, cells)).toEqual({ fields, tags: [], unused });
  });

  /** The fields of one row, and the columns whose value it had no use for. */
  function read(header: string, cells: string): [fields: Record<string, unknown>, unused: string] {
    const columns = header.split(",");
    const { fields, unused } = readRow(mapColumns(columns), cells.split(","));
    return [fields, unused.map((index) => columns[index]).join(",")];
  }

  test.each([
    ["the first of several values", "Email", "a@x.com ::: b@x.com", { email: "a@x.com" }, "Email"],
    ["values that are none", "Email", "a@x.com ::: ", { email: "a@x.com" }, ""],
    ["the name of a state", "State", "new york", { state: "NY" }, ""],
    ["a state that has no code", "State", "Bavaria", { state: "Bavaria" }, ""],
    [
      "a whole name",
      "Name,Email",
      "Ada King Lovelace,a@x.com",
      { first_name: "Ada King", last_name: "Lovelace", email: "a@x.com" },
      "",
    ],
    ["one word as a whole name", "Full Name,Email", "Ada,a@x.com", { first_name: "Ada", email: "a@x.com" }, ""],
    [
      "a whole name that repeats its parts",
      "Name,First Name,Last Name",
      "Ada Lovelace,Ada,Lovelace",
      { first_name: "Ada", last_name: "Lovelace" },
      "",
    ],
    [
      "a whole name that says more",
      "Name,First Name,Last Name",
      "Dr. Ada Lovelace,Ada,Lovelace",
      { first_name: "Ada", last_name: "Lovelace" },
      "Name",
    ],
    [
      "one address of two",
      "Business City,Home City,Home ZIP,Home Postal Code",
      "Bath,Bonn,,53111",
      { city: "Bath" },
      "Home City,Home Postal Code",
    ],
    [
      "the other where the better one is empty",
      "Business City,Home City,Home Postal Code",
      ",Bonn,53111",
      { city: "Bonn", zip: "53111" },
      "",
    ],
    [
      "one address whose parts are named in two ways",
      "Home Street,City,Zip",
      "1 A St,Bath,12345",
      { address1: "1 A St", city: "Bath", zip: "12345" },
      "",
    ],
    [
      "the reasons of an earlier refusal",
      "refused_line,refused_because,Email",
      "7,Bad.,a@x.com",
      { email: "a@x.com" },
      "",
    ],
  ])("%s", (_name, header, cells, fields, unused) => {
    expect(read(header, cells)).toEqual([fields, unused]);
  });

  test.each<[what: string, header: string[], cells: string[], tags: string[], unused: number[]]>([
    ["our own column", ["email", "tags"], ["a@x.com", 'VIP; "a; b"; c, d'], ["VIP", "a; b", "c, d"], []],
    ["another program's", ["Email", "Tags"], ["a@x.com", "new lead,summer"], ["new lead", "summer"], []],
    ["one that is mapped", ["Email", "Labels"], ["a@x.com", "one, two"], ["one", "two"], []],
    ["several", ["Email", "Tags", "Labels"], ["a@x.com", "one", "two"], ["one", "two"], []],
    ["none", ["email", "tags"], ["a@x.com", " ; "], [], []],
  ])("tags of %s", (_name, header, cells, tags, unused) => {
    const chosen: Record<string, string> = header.includes("Labels") ? { labels: "tags" } : {};
    const given = readRow(mapColumns(header, chosen), cells);
    expect(given).toEqual({ fields: { email: "a@x.com" }, tags, unused });
  });

  test.each([
    ["a field", ["owner_user_id", "email"], ["7", "a@x.com"]],
    ["tags", ["Tags", "email"], ["one", "a@x.com"]],
    ["whole names", ["Name", "email"], ["Ada", "a@x.com"]],
  ])("a column of %s that is mapped to nothing is left out, and told", (_what, header, cells) => {
    const given = readRow(mapColumns(header, { [header[0]!]: "" }), cells);
    expect(given).toEqual({ fields: { email: "a@x.com" }, tags: [], unused: [0] });
  });

  test("a tags column that is mapped to a field is read as the field alone", () => {
    const given = readRow(mapColumns(["email", "Tags"], { tags: "interest" }), ["a@x.com", "trees, stones"]);
    expect(given).toEqual({ fields: { email: "a@x.com", interest: "trees, stones" }, tags: [], unused: [] });
  });

  test("columns of our own hold one value each, its mark taken off, and those that nobody can set are not missed", () => {
    const header = ["id", "email", "company", "interest", "created_at", "updated_at", "ID", "Company Name"];
    const cells = ["7", "a@x.com", "A ::: B", "'=1+1", "2026", "2026", "9", "C ::: D"];
    expect(readRow(mapColumns(header), cells)).toEqual({
      fields: { email: "a@x.com", company: "A ::: B", interest: "=1+1" },
      tags: [],
      unused: [6, 7],
    });
  });

  test("a name that begins with the last one", () => {
    const { fields } = readRow(mapColumns(["Name", "Email"]), ["Lovelace, Ada King", "a@x.com"]);
    expect(fields).toEqual({ first_name: "Ada King", last_name: "Lovelace", email: "a@x.com" });
  });
});
