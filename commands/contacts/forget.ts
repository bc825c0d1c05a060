/** `crm contacts forget`: removes everything that is known of a person. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ErasureView } from "../../src/crm/erasure/erasure.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";

/** Attempts, a second apart, while a message or delivery is under way; then the worker goes on. */
const mostAttempts = 10;

export default class ContactsForget extends CrmCommand {
  static override description = `Removes everything that is known of a person, for good: the contact and all contacts that were merged into it, notes, tasks, conversations with their files, custom fields and the payloads of events.

Ids and numbers stay. A contact that was deleted before can be forgotten, too. Asks first. Backups that were taken before still hold the data; docs/privacy.md says what else does.`;
  static override jsonResult = "the receipt as the API shows it";
  static override examples = [
    "<%= config.bin %> contacts forget 12",
    "<%= config.bin %> contacts forget 12 --yes --json",
  ];

  static override args = { id: idArgument("The contact.") };

  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<ErasureView> {
    const { args, flags } = await this.parse(ContactsForget);
    const { deleteContact } = await import("../../src/crm/erasure/contact-removal.operations.ts");
    const { findContactsOfPerson } = await import("../../src/crm/contact-redirects.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const { ids } = await findContactsOfPerson(caller, args.id);
      const others = ids.filter((id) => id !== args.id);
      const merged = others.length === 0 ? "" : `, with ${others.length} merged into the same contact`;
      await confirm(`forget the person of contact ${args.id}${merged}, which cannot be undone`, flags);
      const forget = async () =>
        (await carryOut(deleteContact, caller, { contact: args.id, query: { forget: true } }))!;
      let receipt = await forget();
      for (let attempt = 1; receipt.status === "running" && attempt < mostAttempts;) {
        const { removed } = receipt;
        receipt = await forget();
        if (JSON.stringify(receipt.removed) !== JSON.stringify(removed)) continue;
        await sleep(1000);
        attempt += 1;
      }
      const counts = Object.entries(receipt.removed).map(([noun, count]) => `${noun.replaceAll("_", " ")} (${count})`);
      this.log(
        receipt.status === "done"
          ? `Forgot the person of contact ${receipt.contact_id}. Removed: ${counts.join(", ")}.`
          : `Contact ${receipt.contact_id} is being forgotten: the worker does the rest.`,
      );
      this.log(
        "Backups that were taken before still hold the data. After restoring one of them, forget the person again.",
      );
      return receipt;
    });
  }
}
