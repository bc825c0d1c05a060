/** The endpoints of tags (extension: the specification takes tags as given). */
import { endpoint, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { listTags } from "./tag.queries.ts";
import { tagInput } from "./tag.schema.ts";
import { createTag } from "./tag.service.ts";
import { tagListView, tagView } from "./tag.view.ts";

export const tagRoutes = [
  endpoint({
    method: "GET",
    path: "/tags",
    operationId: "listTags",
    summary: "Lists the tags of the workspace by name.",
    tag: "Tags",
    within: "workspace",
    scope: "tags.readonly",
    query: pageQuery,
    replies: { 200: tagListView },
    read: async (reader, { query }) => reply(200, await listTags(reader, query)),
  }),
  endpoint({
    method: "POST",
    path: "/tags",
    operationId: "createTag",
    summary: "Creates a tag in the workspace.",
    tag: "Tags",
    within: "workspace",
    scope: "tags.write",
    input: tagInput,
    replies: { 201: tagView },
    change: async (change, { input }) => reply(201, await createTag(change, input)),
  }),
];
