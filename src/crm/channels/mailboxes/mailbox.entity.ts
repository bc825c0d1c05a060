/** The table of mailboxes: the IMAP folder of a channel, how far it has been read, and the lease of the worker that reads it. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../../storage/columns.ts";
import { Channel } from "../channel.entity.ts";

export const ChannelMailbox = defineEntity({
  name: "ChannelMailbox",
  tableName: "mailboxes",
  indexes: [{ name: "mailboxes_due", properties: ["dueAt", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    channel: () => p.manyToOne(Channel).unique("mailboxes_channel").deleteRule("cascade").index(false),
    url: p.text(),
    /** Encrypted. */
    password: p.text(),
    /** The folder to which received mails are moved. */
    moveTo: p.text().nullable(),
    /** Mails that arrived earlier are not received. */
    since: p.datetime(3),
    /** The UIDVALIDITY of the folder when it was last read; null before. */
    uidValidity: p.text().nullable(),
    /** The last UID that was received. */
    lastUid: p.type(Integer).default(0),
    /** Failures since the last success, for the backoff; and why. */
    failures: p.type(Integer).default(0),
    error: p.text().nullable(),
    dueAt: p.datetime(3),
    leasedUntil: p.datetime(3).nullable(),
    leasedBy: p.type(Integer).nullable(),
    /** A fencing token, incremented with each claim: a slow worker records nothing over another. */
    fence: p.type(Integer).default(0),
  },
});
