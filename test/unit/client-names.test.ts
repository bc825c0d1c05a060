/** Where `crm-client` has an operation, by its operationId and its path. */
import { describe, expect, test } from "vitest";
import { describeMethods } from "../../scripts/client/described-methods.ts";
import { nameMethods } from "../../scripts/client/method-names.ts";
import { currentDocument } from "../../scripts/client/reduced-document.ts";
import { endpoints } from "../../src/operations.ts";

const methods = describeMethods(currentDocument());

describe("operationId → method", () => {
  const named = new Map(methods.map(({ operation, group, method }) => [operation.operationId, `${group}.${method}`]));
  test.each([
    ["the noun and its verb", "listContacts", "contacts.list"],
    ["a plural that is more than an s", "getOpportunity", "opportunities.get"],
    ["several words before the noun", "bulkUpsertContacts", "contacts.bulkUpsert"],
    ["words after the noun", "addContactTag", "contacts.addTag"],
    ["a noun of two words", "listWorkflowRuns", "workflowRuns.list"],
    ["a noun that the operationId shortens", "removeRun", "workflowRuns.remove"],
    ["a noun that is no segment of its path", "listNotes", "notes.list"],
    ["the noun of the path", "enroll", "workflows.enroll"],
    ["the tag, outside of the API", "reportPayment", "billing.reportPayment"],
  ])("%s: %s is %s", (_rule, operationId, name) => expect(named.get(operationId)).toBe(name));

  test("every operation has a method", () => {
    const ids = new Set(methods.map(({ operation }) => operation.operationId));
    expect(endpoints.map(({ operation }) => operation.name).filter((name) => !ids.has(name))).toEqual([]);
  });

  test("two operations of one name are refused", () => {
    const tags = ["Notes"];
    const twins = [
      { operationId: "getNote", path: "/api/v1/notes/{id}", tags },
      { operationId: "getNotes", path: "/api/v1/notes", tags },
    ];
    expect(() => nameMethods(twins)).toThrow("getNotes and getNote would both be crm.notes.get: rename one.");
  });
});

test.each([
  ["readEventLog", { pages: "position", location: "optional" }],
  ["listContacts", { pages: "cursor", location: "required" }],
  ["createContact", { body: "json", keyed: true }],
  ["registerHook", { body: "json", location: "optional" }],
  ["uploadAttachment", { body: "file", keyed: true }],
  ["issueTokens", { body: "form", open: true }],
])("%s: what the client knows of it", (operationId, known) => {
  expect(methods.find(({ operation }) => operation.operationId === operationId)!.runtime).toMatchObject(known);
});
