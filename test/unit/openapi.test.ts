/** The OpenAPI document: valid, whole, and in words and examples that could be real. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { filterKinds } from "../../src/crm/contacts/list/contact.filter-fields.ts";
import { operators } from "../../src/crm/contacts/list/contact.filters.ts";
import { documentedEvents } from "../../src/crm/event-log/event.samples.ts";
import { endpoints } from "../../src/operations.ts";
import { routeDocuments } from "../../src/routes.ts";
import { eventNames, events } from "../../src/vocabulary/events.ts";
import type { EventName } from "../../src/vocabulary/events.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { appScopeNames } from "../../src/vocabulary/scopes.ts";
import { toOpenApi } from "../../src/http/documents/openapi.ts";
import { follow } from "../support/openapi.ts";
import type { OpenApi, Operation, Response } from "../support/openapi.ts";

const described = { endpoints, routes: routeDocuments, events: documentedEvents() };
const text = JSON.stringify(toOpenApi(described, { version: "1.2.3", serverUrl: "/" }));
const document = JSON.parse(text) as OpenApi;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);
const sentOf = ({ requestBody }: Operation) => Object.values(requestBody?.content ?? {});
const answersOf = (operation: Operation) =>
  Object.entries(operation.responses).map(
    ([status, response]) => [status, follow<Response>(document, response)] as const,
  );

interface OauthFlows {
  readonly authorizationCode: { readonly scopes: object; readonly tokenUrl: string; readonly authorizationUrl: string };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: "openapi", components: document.components });

/** What is wrong with `value` by `schema`; null when nothing is. */
function faultsOf(schema: object, value: unknown): string | null {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll("#/components", "openapi#/components")));
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

test("is valid OpenAPI 3.1", async () => {
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
});

test("every reference leads somewhere, and every component is referred to", () => {
  const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name!));
  const there = Object.entries(document.components)
    .filter(([kind]) => kind !== "securitySchemes")
    .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `${kind}/${name}`));
  expect([...referred].toSorted()).toEqual(there.toSorted());
});

test("shows no number or name that a tool made up", () => {
  expect(text).not.toMatch(/9007199254740991|additionalProp\d/);
});

test("tells no client to leave out a field that requests take", () => {
  expect(text).not.toContain('"readOnly"');
});

describe.each(operations)("%s", (name, operation) => {
  test("says what each answer is, in a sentence", () => {
    for (const [status, { description }] of answersOf(operation)) {
      expect([status, description]).toEqual([status, expect.stringMatching(/^[A-Z].{8,}\.$/s)]);
    }
  });

  test("shows examples of what is sent and answered, and each could be real", () => {
    const media = [
      ...sentOf(operation),
      ...answersOf(operation).flatMap(([, { content }]) =>
        content !== undefined && "application/json" in content ? [content["application/json"]] : [],
      ),
    ];
    expect(media.length).toBeGreaterThan(0);
    for (const { schema, example, examples } of media) {
      const shown = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
      expect(shown.length).toBeGreaterThan(0);
      for (const value of shown) expect([value, faultsOf(schema, value)]).toEqual([value, null]);
    }
  });

  test("names the shapes of what is sent and answered", () => {
    const bodies = [
      ...sentOf(operation).map(({ schema }) => schema),
      ...answersOf(operation).map(([, { content }]) => content?.["application/json"]?.schema),
    ];
    expect(bodies.filter((schema) => schema !== undefined && schema.$ref === undefined)).toEqual([]);
  });

  test("says which headers come with an answer", () => {
    for (const [status, { headers }] of answersOf(operation)) {
      const names = Object.keys(headers ?? {});
      expect(names).toContain("X-Request-Id");
      if (["429", "503"].includes(status)) expect(names).toContain("Retry-After");
      // The addresses beside the API answer without these.
      if (!name.includes(" /api/v1/")) continue;
      if (status !== "401") expect(names).toContain("X-RateLimit-Remaining");
      if (["401", "404"].includes(status)) expect(names).toContain("X-Error-Detail");
      if (status === "401") expect(names).toContain("WWW-Authenticate");
    }
  });
});

test("an answer that may be given again says how it is told from the first", () => {
  const told = operations.filter(([, operation]) =>
    answersOf(operation).some(([status, { headers }]) => status < "300" && "Idempotency-Replayed" in (headers ?? {})),
  );
  expect(told.map(([name]) => name.split(" ")[0])).toEqual(
    endpoints.filter(({ keepsAnswer }) => keepsAnswer).map(() => "POST"),
  );
});

test("`filters` says which fields there are, and by what each can be asked for", () => {
  const list = document.paths["/api/v1/contacts"]!["get"]!;
  const { description } = list.parameters.find(({ name }) => name === "filters") as { description: string };
  const lines = description.split("\n").filter((line) => line.startsWith("- "));
  for (const [field, kind] of Object.entries(filterKinds)) {
    const line = lines.find((candidate) => candidate.split(", by ")[0]!.includes(`\`${field}\``));
    expect([field, line]).toEqual([
      field,
      expect.stringContaining(operators[kind].map((name) => `\`${name}\``).join(" ")),
    ]);
  }
});

test("has a webhook for every event, with a body that a receiver could get", () => {
  const webhooks = Object.entries(document.webhooks).map(([event, { post }]) => [event, post!] as const);
  expect(webhooks.map(([event]) => event).toSorted()).toEqual([...eventNames].toSorted());
  for (const [event, { requestBody, parameters, description = "" }] of webhooks) {
    const { schema, example } = requestBody!.content["application/json"];
    expect([event, faultsOf(schema, example)]).toEqual([event, null]);
    expect(faultsOf(schema, { ...(example as object), event: "another" })).not.toBeNull();
    expect(parameters.map(({ name }) => name)).toContain("X-Service-Signature");
    expect([...description.matchAll(/`(.+?)`/g)].map(([, scope]) => scope)).toEqual(
      [events[event as EventName].scope].filter((scope) => scope !== null),
    );
  }
});

test("an operation accepts an API key, or a token with its scope", () => {
  const { oauth2 } = document.components.securitySchemes as unknown as { oauth2: { flows: OauthFlows } };
  const { scopes, tokenUrl, authorizationUrl } = oauth2.flows.authorizationCode;
  expect([Object.keys(scopes), tokenUrl, authorizationUrl]).toEqual([
    appScopeNames,
    "/api/oauth/token",
    "/oauth/authorize",
  ]);
  expect(
    endpoints.map(({ method, path }) => document.paths[`/api/v1${path}`]![method.toLowerCase()]!.security),
  ).toEqual(
    endpoints.map(({ operation: { may } }) => {
      const scopes = may.scope === "any" ? [] : [may.scope];
      return scopes.every((scope) => (appScopeNames as readonly string[]).includes(scope))
        ? [{ bearer: [] }, { oauth2: scopes }]
        : [{ bearer: [] }];
    }),
  );
});

test("the `limit` of the event log is an integer within bounds", () => {
  const { parameters } = document.paths["/api/v1/events"]!["get"]!;
  const { schema } = parameters.find(({ name }) => name === "limit") as unknown as { schema: object };
  for (const limit of [1, limits.eventPageSize]) expect(faultsOf(schema, limit)).toBeNull();
  for (const limit of ["1", 0, 1.5, limits.eventPageSize + 1]) expect(faultsOf(schema, limit)).not.toBeNull();
});

test("an id in a path is a string of digits", () => {
  const { schema } = document.paths["/api/v1/contacts/{id}"]!["get"]!.parameters[0] as { schema: object };
  expect(schema).toMatchObject({ type: "string" });
  expect(faultsOf(schema, "1")).toBeNull();
  for (const id of ["", "1x", 1, null]) expect(faultsOf(schema, id)).not.toBeNull();
});
