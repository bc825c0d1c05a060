/** The operation that lists possible duplicates. */
import { pageQuery } from "../../../kit/page-shapes.ts";
import { operation } from "../../../operation/operation.ts";
import { duplicateListView, listDuplicates as list } from "./duplicate.list.ts";

export const listDuplicates = operation({
  name: "listDuplicates",
  summary: "Lists groups of contacts that may be one person, by email, phone or name.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "member" },
  query: pageQuery,
  gives: duplicateListView,
  read: async (reader, { query }) => await list(reader, query),
});
