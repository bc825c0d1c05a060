/** The operation that searches all kinds of records. */
import { operation } from "../../operation/operation.ts";
import * as queries from "./search.queries.ts";
import { searchQuery } from "./search.schema.ts";
import { searchView } from "./search.view.ts";

export const search = operation({
  name: "search",
  summary: "Finds contacts, conversations, opportunities and tasks by text, best first.",
  noun: "Search",
  may: { scope: "any", role: "member" },
  query: searchQuery,
  gives: searchView,
  read: async (reader, { query }) => await queries.search(reader, query.q),
});
