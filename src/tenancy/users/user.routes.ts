/** The endpoint of people (extension). */
import { endpoint, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { listUsers } from "./user.queries.ts";
import { userListView } from "./user.view.ts";

export const userRoutes = [
  endpoint({
    method: "GET",
    path: "/users",
    operationId: "listUsers",
    summary: "Lists the people of the workspace; with location_id those who reach that location.",
    tag: "Users",
    within: "workspace",
    scope: "users.readonly",
    query: pageQuery,
    replies: { 200: userListView },
    read: async (reader, { query }) => reply(200, await listUsers(reader, query)),
  }),
];
