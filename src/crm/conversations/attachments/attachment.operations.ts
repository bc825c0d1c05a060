/** The operations of attachments. */
import { operation } from "../../../operation/operation.ts";
import { findAttachment } from "./attachment.queries.ts";
import { uploadInput } from "./attachment.schema.ts";
import { storeUpload } from "./attachment.service.ts";
import { attachmentView, toAttachment } from "./attachment.view.ts";

export const uploadAttachment = operation({
  name: "uploadAttachment",
  summary: "Uploads a file, to be sent with a message within a day.",
  noun: "Conversations",
  may: { scope: "conversations.write", role: "member" },
  input: uploadInput,
  gives: attachmentView,
  givesSignedUrls: true,
  steps: (caller, { input }, { network, complete }) =>
    storeUpload(caller, network.blobs, input, (store) =>
      complete(async (change) => toAttachment(await store(change), change.tools)),
    ),
});

export const getAttachment = operation({
  name: "getAttachment",
  summary: "Returns an attachment with a new URL.",
  noun: "Conversations",
  may: { scope: "conversations.readonly", role: "member" },
  find: { attachment: findAttachment },
  gives: attachmentView,
  givesSignedUrls: true,
  read: async ({ tools }, { attachment }) => toAttachment(attachment, tools),
});
