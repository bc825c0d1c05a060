/** The operations of people (extension). */
import { operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import * as queries from "./user.queries.ts";
import { userListView } from "./user.view.ts";

export const listUsers = operation({
  name: "listUsers",
  summary: "Lists the people of the workspace; with location_id those who reach that location.",
  noun: "Users",
  within: "workspace",
  may: { scope: "users.readonly", role: "member" },
  query: pageQuery,
  gives: userListView,
  read: async (reader, { query }) => await queries.listUsers(reader, query),
});
