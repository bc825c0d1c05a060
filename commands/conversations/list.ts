/** `crm conversations list` */
import { Flags } from "@oclif/core";
import type { ConversationView } from "../../src/crm/conversations/conversation.view.ts";
import { channelKinds, conversationStatuses } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, idFlag, locationFlags } from "../../terminal/input/flags.ts";
import { describeStatus, nameContact } from "../../terminal/output/conversation-text.ts";
import { table } from "../../terminal/output/table.ts";

export default class ConversationsList extends CrmCommand {
  static override description =
    "Lists conversations, newest message first, with the number of unread messages and the start of the last one.";
  static override jsonResult = "a list of conversations as the API shows them";
  static override examples = [
    "<%= config.bin %> conversations list --status open",
    "<%= config.bin %> conversations list --search lovelace",
    "<%= config.bin %> conversations list --kind email --assignee-user-id 2 --json",
  ];
  static override flags = {
    ...locationFlags,
    status: Flags.option({ description: "Only this status.", options: conversationStatuses })(),
    kind: Flags.option({ description: "Only channels of this kind.", options: channelKinds })(),
    "assignee-user-id": idFlag({ description: "Only those assigned to this user." }),
    search: Flags.string({ description: "Part of the contact's name or e-mail address.", helpValue: "TEXT" }),
    limit: countFlag(10_000, { description: "How many to show at most.", default: 200 }),
  };

  async run(): Promise<ConversationView[]> {
    const { flags } = await this.parse(ConversationsList);
    const [{ listConversations }, { allPages }] = await Promise.all([
      import("../../src/crm/conversations/conversation.operations.ts"),
      import("../../src/kit/page.ts"),
    ]);
    const { "assignee-user-id": assignee_user_id, status, kind, search } = flags;
    const filters = { status, kind, search, assignee_user_id };
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const conversations = await allPages(
        (page) => carryOut(listConversations, caller, { query: { ...filters, ...page } }),
        flags.limit,
      );
      const rows = conversations.map((conversation) => ({
        id: conversation.id,
        contact: nameContact(conversation),
        channel: conversation.channel?.name,
        status: describeStatus(conversation, caller.location.timezone),
        unread: conversation.unread_count === 0 ? null : conversation.unread_count,
        preview: conversation.preview,
      }));
      const isFiltered = Object.values(filters).some((value) => value !== undefined);
      const columns = ["id", "contact", "channel", "status", "unread", "preview"] as const;
      this.log(
        table(rows, columns, {
          cuts: ["contact", "channel", "status", "preview"],
          none: isFiltered
            ? "No conversation matches."
            : "No conversations yet. Start one: crm conversations start CONTACT --channel ID",
        }),
      );
      return conversations;
    });
  }
}
