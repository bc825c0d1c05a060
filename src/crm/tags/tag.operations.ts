/** The operations of tags (extension: the specification assumes that tags exist). */
import type { Change } from "../../events/caller.ts";
import { operation } from "../../operation/operation.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import * as queries from "./tag.queries.ts";
import { tagInput, tagPatch } from "./tag.schema.ts";
import * as service from "./tag.service.ts";
import { tagListView, taggedCountView, tagView } from "./tag.view.ts";

const tagRecord = shownRecord({
  gives: tagView,
  lock: (change: Change, { tag }: { tag: number }) => service.lockTag(change, tag),
  async read(reader, { tag: id }) {
    const tag = await queries.findTag(reader, id);
    if (tag === undefined) throw new Refusal("tag.not_found");
    return tag;
  },
});

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
  record: tagRecord,
  gives: tagView,
  audit: ({ id }) => ({ noun: "tag", id }),
  change: async (change, { input }) => await service.createTag(change, input),
});

export const updateTag = operation({
  name: "updateTag",
  summary: "Renames a tag or changes its color. Contacts keep it.",
  noun: "Tags",
  within: "workspace",
  may: { scope: "tags.write", role: "manager" },
  find: { tag: queries.findTag },
  input: tagPatch,
  record: tagRecord,
  gives: tagView,
  audit: "found",
  steps: async (caller, { tag, input }) => await service.updateTag(caller, tag.id, input),
});

export const countTagged = operation({
  name: "countTagged",
  summary: "Counts the contacts that have a tag.",
  noun: "Tags",
  within: "workspace",
  may: { scope: "tags.readonly", role: "manager" },
  find: { tag: queries.findTag },
  gives: taggedCountView,
  read: async (reader, { tag }) => await queries.countTagged(reader, tag.id),
});

export const deleteTag = operation({
  name: "deleteTag",
  summary: "Removes a tag from every contact and deletes it.",
  noun: "Tags",
  within: "workspace",
  may: { scope: "tags.write", role: "manager" },
  find: { tag: queries.findTag },
  record: tagRecord,
  gives: null,
  audit: "found",
  steps: async (caller, { tag }, { progress }) => await service.deleteTag(caller, tag.id, progress),
});
