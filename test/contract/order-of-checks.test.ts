/** Which of several errors of a request is reported first, and the exact bodies of the specification's "Errors". */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { mintSecret } from "../../src/kit/secrets/secret.ts";
import { givenContact } from "../support/given.ts";
import { withTypo } from "../support/typo.ts";
import type { Asker } from "../support/world.ts";

const wrong = { email: 1 };
const missing = /^location_id is missing: it goes into the query of a GET and into the JSON body otherwise\.$/;

contract("authentication comes first", [
  ...(["nobody", "garbage", "expired", "revoked"] as Asker[]).map((as) =>
    row({
      name: `${as}: 401 before location and body`,
      as,
      send: ["POST", "/contacts", "{ not json"],
      expect: { status: 401, exactly: { error: "invalid_api_key" }, headers: { "x-request-id": /.+/ } },
    }),
  ),
  ...(
    [
      ["nobody", /^Bearer realm="crm"$/, /^No credential was sent: send the header Authorization: Bearer <API key>\.$/],
      ["garbage", /error="invalid_token"/, /^Malformed API key\. /],
      ["expired", /error="invalid_token"/, /^This API key has expired\.$/],
      ["revoked", /error="invalid_token"/, /^This API key has been revoked\.$/],
    ] as const
  ).map(([as, challenge, detail]) =>
    row({
      name: `${as}: the headers describe the error`,
      as,
      send: ["GET", "/locations"],
      expect: {
        status: 401,
        exactly: { error: "invalid_api_key" },
        headers: { "www-authenticate": challenge, "x-error-detail": detail },
      },
    }),
  ),
  row({
    name: "a well-formed unknown key",
    send: (_world) => ["GET", "/locations", undefined, { authorization: `Bearer ${mintSecret("crm_key_")}` }],
    expect: {
      status: 401,
      exactly: { error: "invalid_api_key" },
      headers: {
        "www-authenticate": /^Bearer realm="crm", error="invalid_token", error_description="Unknown API key\."$/,
        "x-error-detail": /^Unknown API key\.$/,
      },
    },
  }),
  row({
    name: "a key with a typo",
    send: (world) => ["GET", "/locations", undefined, { authorization: `Bearer ${withTypo(world.keys.owner!)}` }],
    expect: { status: 401, exactly: { error: "invalid_api_key" } },
  }),
  row({
    name: "a key in the query is ignored",
    as: "nobody",
    send: (world) => ["GET", `/locations?api_key=${world.keys.owner}`],
    expect: { status: 401, exactly: { error: "invalid_api_key" } },
  }),
  row({
    name: "the scheme matches in any case",
    send: (world) => ["GET", "/locations", undefined, { authorization: `bEARER ${world.keys.owner}` }],
    expect: { status: 200 },
  }),
  row({
    name: "another scheme is refused",
    send: (world) => ["GET", "/locations", undefined, { authorization: `Basic ${world.keys.owner}` }],
    expect: {
      status: 401,
      exactly: { error: "invalid_api_key" },
      headers: {
        "www-authenticate": /^Bearer realm="crm"$/,
        "x-error-detail": /must be Bearer, a space and an API key/,
      },
    },
  }),
]);

contract("then the body's form", [
  row({
    name: "malformed JSON",
    send: ["POST", "/contacts", "{"],
    expect: { status: 400, body: { error: "invalid_json", request_id: expect.any(String) } },
  }),
  row({
    name: "an unsupported type",
    send: ["POST", "/contacts", "a=b", { "content-type": "application/x-www-form-urlencoded" }],
    expect: { status: 415, body: { error: "unsupported_media_type" } },
  }),
  row({
    name: "a missing type is read as JSON",
    send: (world) => [
      "POST",
      "/contacts",
      JSON.stringify({ location_id: world.north, first_name: "A", last_name: "" }),
      { "content-type": "" },
    ],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "JSON with a suffix and a charset is JSON",
    send: (world) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "A", last_name: "" },
      { "content-type": "application/vnd.api+json; charset=utf-8" },
    ],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "too large",
    send: ["POST", "/contacts", `"${"x".repeat(1_048_576)}"`],
    expect: { status: 413, body: { error: "payload_too_large" } },
  }),
  row({
    name: "never 406",
    send: ["GET", "/locations", undefined, { accept: "text/html" }],
    expect: { status: 200, headers: { "content-type": /^application\/json/ } },
  }),
]);

contract("then the location", [
  ...([0, -1, 1.5, "0", "-1", "1.5", "1e0", " 1", "١", [1], {}, true, 1e300] as const).map((location_id) =>
    row({
      name: `location_id ${JSON.stringify(location_id)} in a body`,
      send: ["POST", "/contacts", { location_id, ...wrong }],
      expect: {
        status: 404,
        exactly: { error: "location.not_found" },
        headers: { "x-error-detail": /^location_id must be a positive integer\.$/ },
      },
    }),
  ),
  ...[undefined, null].map((location_id) =>
    row({
      name: `location_id ${location_id} in a body`,
      send: ["POST", "/contacts", { location_id, ...wrong }],
      expect: { status: 404, exactly: { error: "location.not_found" }, headers: { "x-error-detail": missing } },
    }),
  ),
  row({
    name: "plain digits in a body are the integer",
    send: (world) => ["POST", "/contacts", { location_id: String(world.north), first_name: "A", last_name: "" }],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "a missing location_id in a query",
    send: ["GET", "/contacts"],
    expect: { status: 404, exactly: { error: "location.not_found" }, headers: { "x-error-detail": missing } },
  }),
  ...["", "0", "-1", "1.5", "abc", "1e0", "99999999999999999999"].map((location_id) =>
    row({
      name: `location_id=${location_id} in a query`,
      send: ["GET", `/contacts?location_id=${location_id}&filters=x`],
      expect: { status: 404, exactly: { error: "location.not_found" } },
    }),
  ),
  row({
    name: "twice in a query",
    send: (world) => ["GET", `/contacts?location_id=${world.north}&location_id=${world.north}`],
    expect: {
      status: 404,
      exactly: { error: "location.not_found" },
      headers: { "x-error-detail": /^location_id appears more than once in the query\.$/ },
    },
  }),
  ...(["POST", "PATCH"] as const).map((method) =>
    row({
      name: `in the query of a ${method}`,
      send: (world) => [method, `/contacts${method === "PATCH" ? "/1" : ""}?location_id=${world.north}`, wrong],
      expect: {
        status: 404,
        exactly: { error: "location.not_found" },
        headers: { "x-error-detail": new RegExp(`^location_id is in the query: a ${method} takes`) },
      },
    }),
  ),
  // Ignored there, it would register a webhook for every location in place of the one that is meant.
  row({
    name: "in the query of a POST to which it is optional",
    send: (world) => [
      "POST",
      `/hooks?location_id=${world.north}`,
      { event: "contact.created", target_url: "https://hooks.example.com/north" },
    ],
    expect: {
      status: 404,
      exactly: { error: "location.not_found" },
      headers: { "x-error-detail": /^location_id is in the query: a POST takes it in the JSON body\.$/ },
    },
  }),
  row({
    name: "in the query of a PATCH to which it is optional",
    send: (world) => ["PATCH", `/tags/1?location_id=${world.north}`, { name: "Regular" }],
    expect: { status: 404, exactly: { error: "location.not_found" } },
  }),
  ...[
    ["", missing] as const,
    ...["[]", '"x"', "null", "7"].map(
      (body) => [body, /^The body must be a JSON object that contains location_id\.$/] as const,
    ),
  ].map(([body, detail]) =>
    row({
      name: `a body of ${body || "nothing"}`,
      send: ["POST", "/contacts", body],
      expect: { status: 404, exactly: { error: "location.not_found" }, headers: { "x-error-detail": detail } },
    }),
  ),
  ...(
    [
      ["of another workspace", "owner", "foreign"],
      ["outside the key's locations", "northOnly", "south"],
      ["even without the scope", "noScopes", "foreign"],
    ] as const
  ).map(([name, as, where]) =>
    row({
      name,
      as,
      send: (world) => ["POST", "/contacts", { location_id: world[where], ...wrong }],
      expect: {
        status: 404,
        exactly: { error: "location.not_found" },
        headers: { "x-error-detail": /^This credential has no access to a location with that id\.$/ },
      },
    }),
  ),
]);

contract("a DELETE names its location", [
  row({
    name: "in the query",
    given: (world) => givenContact(world),
    send: (world, contact) => ["DELETE", `/contacts/${contact.id}?location_id=${world.north}`],
    expect: { status: 204, events: ["contact.deleted"] },
  }),
  row({
    name: "in the body, which wins",
    given: (world) => givenContact(world),
    send: (world, contact) => [
      "DELETE",
      `/contacts/${contact.id}?location_id=${world.foreign}`,
      { location_id: world.north },
    ],
    expect: { status: 204, events: ["contact.deleted"] },
  }),
  row({
    name: "in the body, also where that is wrong",
    given: (world) => givenContact(world),
    send: (world, contact) => ["DELETE", `/contacts/${contact.id}?location_id=${world.north}`, { location_id: 0 }],
    expect: { status: 404, exactly: { error: "location.not_found" } },
  }),
  row({
    name: "nowhere",
    given: (world) => givenContact(world),
    send: (_world, contact) => ["DELETE", `/contacts/${contact.id}`],
    expect: { status: 404, exactly: { error: "location.not_found" }, headers: { "x-error-detail": missing } },
  }),
]);

contract("then the scope, then the path, then the body", [
  row({
    name: "scope before path",
    as: "noScopes",
    send: (world) => ["PATCH", "/contacts/424242", { location_id: world.north, ...wrong }],
    expect: {
      status: 403,
      body: { error: "insufficient_scope", required_scope: "contacts.write", request_id: expect.any(String) },
      headers: { "www-authenticate": /^Bearer realm="crm", error="insufficient_scope", scope="contacts\.write"$/ },
    },
  }),
  row({
    name: "path before body",
    send: (world) => ["PATCH", "/contacts/424242", { location_id: world.north, ...wrong }],
    expect: {
      status: 404,
      exactly: { error: "contact.not_found" },
      headers: { "x-error-detail": /^There is no contact with that id in this location\.$/ },
    },
  }),
  row({
    name: "the body last",
    send: (world) => ["POST", "/contacts", { location_id: world.north, ...wrong, first_name: "A", last_name: "B" }],
    expect: {
      status: 422,
      exactly: {
        message: "The email field must be a string.",
        errors: { email: ["The email field must be a string."] },
      },
    },
  }),
]);

contract(
  "the rate limit",
  [
    row({
      name: "reports the remaining requests",
      send: ["GET", "/locations"],
      expect: {
        status: 200,
        headers: { "x-ratelimit-limit": /^3$/, "x-ratelimit-remaining": /^2$/, "x-ratelimit-reset": /^10$/ },
      },
    }),
    row({
      name: "responds 429 with the seconds to wait, before the body is read",
      async given(world) {
        await world.send("owner", "GET", "/locations");
        await world.send("owner", "GET", "/locations");
      },
      send: ["POST", "/contacts", "{"],
      expect: {
        status: 429,
        exactly: { message: "Too many requests. Try again in 10 seconds." },
        headers: { "retry-after": /^10$/, "x-ratelimit-remaining": /^0$/ },
      },
    }),
    row({ name: "leaves other keys alone", as: "northOnly", send: ["GET", "/locations"], expect: { status: 200 } }),
    row({
      name: "restarts with the next window",
      given: async (world) => world.clock.advance({ seconds: 10 }),
      send: ["GET", "/locations"],
      expect: { status: 200, headers: { "x-ratelimit-remaining": /^2$/ } },
    }),
    row({
      name: "of failed authentication does not affect a valid key",
      async given(world) {
        const statuses = new Set<number>();
        for (let tried = 0; tried < 310; tried++)
          statuses.add((await world.send("garbage", "GET", "/locations")).status);
        expect([...statuses]).toEqual([401, 429]);
      },
      send: ["GET", "/locations"],
      expect: { status: 200 },
    }),
  ],
  { CRM_RATE_LIMIT: "3/10s" },
);
