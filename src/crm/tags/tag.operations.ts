/** The operations of tags (extension: the specification takes tags as given). */
import { operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import * as queries from "./tag.queries.ts";
import { tagInput } from "./tag.schema.ts";
import * as service from "./tag.service.ts";
import { tagListView, tagView } from "./tag.view.ts";

export const listTags = operation({
  name: "listTags",
  summary: "Lists the tags of the workspace by name.",
  noun: "Tags",
  within: "workspace",
  may: { scope: "tags.readonly", role: "member" },
  query: pageQuery,
  gives: tagListView,
  read: async (reader, { query }) => await queries.listTags(reader, query),
});

export const createTag = operation({
  name: "createTag",
  summary: "Creates a tag in the workspace.",
  noun: "Tags",
  within: "workspace",
  may: { scope: "tags.write", role: "manager" },
  input: tagInput,
  gives: tagView,
  change: async (change, { input }) => await service.createTag(change, input),
});
