/** The table of deleted mails of workflows: the contact that each was sent to, so that the unsubscribe URL in it stays valid. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../../storage/columns.ts";
import { Contact } from "../../contact.entity.ts";

export const RemovedMail = defineEntity({
  name: "RemovedMail",
  tableName: "removed_mails",
  indexes: [{ name: "removed_mails_of_contact", properties: ["contact"] }],
  properties: {
    /** Of the message. */
    id: p.type(Integer).primary(),
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
  },
});
