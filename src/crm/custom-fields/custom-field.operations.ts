/** The operations of custom fields (extension). */
import type { Change } from "../../events/caller.ts";
import { operation } from "../../operation/operation.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import * as queries from "./custom-field.queries.ts";
import { customFieldInput, customFieldPatch } from "./custom-field.schema.ts";
import * as service from "./custom-field.service.ts";
import { customFieldListView, customFieldView } from "./custom-field.view.ts";

const customFieldRecord = shownRecord({
  gives: customFieldView,
  lock: (change: Change, { custom_field: id }: { custom_field: number }) => service.lockCustomField(change, id),
  async read(reader, { custom_field: id }) {
    const field = await queries.findCustomField(reader, id);
    if (field === undefined) throw new Refusal("custom_field.not_found");
    return field;
  },
});

export const listCustomFields = operation({
  name: "listCustomFields",
  summary: "Lists the custom fields of the workspace, oldest first.",
  noun: "Custom fields",
  within: "workspace",
  may: { scope: "custom_fields.readonly", role: "member" },
  query: pageQuery,
  gives: customFieldListView,
  read: async (reader, { query }) => await queries.listCustomFields(reader, query),
});

export const createCustomField = operation({
  name: "createCustomField",
  summary: "Creates a custom field in the workspace.",
  noun: "Custom fields",
  within: "workspace",
  may: { scope: "custom_fields.write", role: "manager" },
  input: customFieldInput,
  record: customFieldRecord,
  gives: customFieldView,
  audit: ({ id }) => ({ noun: "custom_field", id }),
  change: async (change, { input }) => await service.createCustomField(change, input),
});

export const updateCustomField = operation({
  name: "updateCustomField",
  summary: "Renames a custom field or replaces its options. Key and type never change.",
  noun: "Custom fields",
  within: "workspace",
  may: { scope: "custom_fields.write", role: "manager" },
  find: { custom_field: queries.findCustomField },
  input: customFieldPatch,
  record: customFieldRecord,
  gives: customFieldView,
  audit: "found",
  change: async (change, { custom_field: field, input }) => await service.updateCustomField(change, field.id, input),
});

export const deleteCustomField = operation({
  name: "deleteCustomField",
  summary: "Deletes a custom field with all of its values.",
  noun: "Custom fields",
  within: "workspace",
  may: { scope: "custom_fields.write", role: "manager" },
  find: { custom_field: queries.findCustomField },
  record: customFieldRecord,
  gives: null,
  audit: "found",
  steps: async (caller, { custom_field: field }) => await service.deleteCustomField(caller, field.id),
});
