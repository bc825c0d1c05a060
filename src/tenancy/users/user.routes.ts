/** The endpoint of people (extension). */
import { z } from "zod";
import { endpoint, reply } from "../../http/endpoint.ts";
import { Invalid } from "../../vocabulary/errors.ts";
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
    read: async (reader, { query, cursors }) => {
      const list = `users ${reader.workspaceId} ${reader.location?.id ?? ""}`;
      const position = query.cursor === undefined ? [0] : cursors.decode(list, query.cursor);
      if (position === undefined) throw new Invalid({ cursor: ["The cursor is not one that this list gave out."] });
      const { data, next } = await listUsers(reader, Number(position[0]));
      return reply(200, { data, next_cursor: next === null ? null : cursors.encode(list, [next]) });
    },
  }),
];
