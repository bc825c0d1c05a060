/** The endpoint of people (extension). */
import { z } from "zod";
import { endpoint, reply } from "../../http/endpoint.ts";
import { listUsers } from "./user.queries.ts";
import { userView } from "./user.view.ts";

export const userRoutes = [
  endpoint({
    method: "GET",
    path: "/users",
    operationId: "listUsers",
    summary: "Lists the people of the workspace; with location_id those who reach that location.",
    tag: "Users",
    within: "workspace",
    scope: "users.readonly",
    query: z.object({ cursor: z.string().optional() }),
    replies: { 200: z.object({ data: z.array(userView), next_cursor: z.string().nullable() }) },
    read: async (reader, { query }) => reply(200, await listUsers(reader, query)),
  }),
];
