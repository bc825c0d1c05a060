/** POST /contacts/import: a CSV file as the body, and custom fields for its unknown columns. */
import { expect } from "vitest";
import { typeOfValues } from "../../src/crm/contacts/transfer/csv-custom-fields.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { contract, row } from "../support/contract.ts";
import { made, unique } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** Sends the text as the owner, or as a key with these scopes. */
async function upload(world: World, text: string, query = "", scopes?: readonly ("contacts.write" | "tags.write")[]) {
  const owner = world.service.inWorkspace(world.acme);
  const { key } = await owner.change((change) => createApiKey(change, { name: "import", ...(scopes && { scopes }) }));
  const headers = { authorization: `Bearer ${key}`, "content-type": "text/csv" };
  const url = `${world.url}/api/v1/contacts/import?location_id=${world.north}${query}`;
  const answer = await fetch(url, { method: "POST", headers, body: text });
  // oxlint-disable-next-line typescript/no-explicit-any -- the parsed body, looked into freely
  return { status: answer.status, body: (await answer.json()) as any };
}

contract("uploadContacts", [
  row({
    name: "creates fields by the values, and reads the rows with them",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const mark = unique();
      const text = [
        `Email,First Name,Boat ${mark},Length ${mark},Launched ${mark},Code ${mark},Empty ${mark}`,
        `ada${mark}@example.com,Ada,Marlin,7.5,2019-05-01,007,`,
        `mary${mark}@example.com,Mary,Heron,6,2021-04-12,008,`,
      ].join("\n");
      const dry = await upload(world, text, "&create_fields=true&dry_run=true");
      const done = await upload(world, text, "&create_fields=true");
      expect([dry.status, dry.body.created, done.status, done.body.created]).toEqual([200, 2, 200, 2]);
      expect(done.body.created_fields).toEqual(
        [
          ["boat", "Boat", "text"],
          ["length", "Length", "number"],
          ["launched", "Launched", "date"],
          ["code", "Code", "text"],
        ].map(([key, name, type]) => ({ key: `${key}_${mark}`, name: `${name} ${mark}`, type })),
      );
      expect(dry.body.created_fields).toEqual(done.body.created_fields);
      const filters = encodeURIComponent(JSON.stringify([{ field: `custom.length_${mark}`, op: "gt", value: 7 }]));
      const found = await made(world.send("owner", "GET", `/contacts?location_id=${world.north}&filters=${filters}`));
      expect(found.data.map(({ name }: { name: string }) => name)).toEqual(["Ada"]);
      const again = await upload(world, text, "&create_fields=true");
      expect(again.body).toMatchObject({ created: 0, unchanged: 2, created_fields: [] });
    },
  }),
  row({
    name: "names fields by headers of several lines, with characters that no name has, and without any other",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const mark = unique();
      const text = `Email,"Mast ${mark}\n(in m)",Keel\0 \u202E${mark},\0,$ %\nlong${mark}@example.com,9,2,x,y`;
      const names = async (dry: string) =>
        (await upload(world, text, `&create_fields=true${dry}`)).body.created_fields.map(
          ({ name }: { name: string }) => name,
        );
      const expected = [`Mast ${mark} (in m)`, `Keel   ${mark}`, "column 4", "$ %"];
      expect([await names("&dry_run=true"), await names(""), await names("")]).toEqual([expected, expected, []]);
    },
  }),
  row({
    name: "creates the fields of an export under their keys, once, and reads their values",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const mark = unique();
      const text = `email,custom.sail_${mark}\nsail${mark}@example.com,Red`;
      const first = await upload(world, text, "&create_fields=true");
      const key = `sail_${mark}`;
      expect(first.body).toMatchObject({ created: 1, created_fields: [{ key, name: key }], left_out: [] });
      const again = await upload(world, text, "&create_fields=true");
      expect(again.body).toMatchObject({ unchanged: 1, created_fields: [] });
      const path = `/contacts?location_id=${world.north}&email=sail${mark}@example.com`;
      const [contact] = (await made(world.send("owner", "GET", path))).data;
      const shown = await made(world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`));
      expect(shown.custom_fields[key]).toBe("Red");
    },
  }),
  row({
    name: "leaves unknown columns out unless it is asked to create fields, and maps columns",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const mark = unique();
      const map = encodeURIComponent(JSON.stringify({ Ref: "external_ref" }));
      const text = `Email,Ref,Other\nleft${mark}@example.com,ref-${mark},x`;
      expect(await upload(world, text, `&map=${map}`)).toMatchObject({
        status: 200,
        body: { created: 1, created_fields: [], left_out: [{ column: "Other", values: 1 }] },
      });
    },
  }),
  row({
    name: "creating fields and tags needs their scopes",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const ask = async (query: string) => {
        const { status, body } = await upload(world, "Email\na@b.example", query, ["contacts.write"]);
        return [status, body.required_scope];
      };
      expect([await ask("&create_fields=true"), await ask("&create_tags=true"), await ask("")]).toEqual([
        [403, "custom_fields.write"],
        [403, "tags.write"],
        [200, undefined],
      ]);
    },
  }),
  row({
    name: "says what is wrong with the file and with the query",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const errorsOf = async (text: string, query = "") => Object.keys((await upload(world, text, query)).body.errors);
      expect([
        await errorsOf(""),
        await errorsOf("Boat\nMarlin"),
        await errorsOf("Email\na@b.example", "&map=nonsense&encoding=klingon&dry_run=maybe"),
      ]).toEqual([["file"], ["file"], ["map", "encoding", "dry_run"]]);
    },
  }),
  row({
    name: "the type is one that all values fit",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards() {
      const types = [
        ["yes", "No"],
        ["1", "2.5", "-3"],
        ["1", "007"],
        ["2026-02-28", "2026-02-31x"],
        ["2026-02-28"],
        ["https://example.com", "http://a.example/b"],
        ["x".repeat(256)],
        [],
      ].map(typeOfValues);
      expect(types).toEqual(["boolean", "number", "text", "text", "date", "url", "long_text", "text"]);
    },
  }),
]);
