/** Words for roles. */
import type { Role } from "../../../vocabulary/states.ts";

export const roleTexts: Readonly<Record<Role, { readonly title: string; readonly text: string }>> = {
  owner: { title: "Owner", text: "Everything, in every location: also billing, locations and the roles of others." },
  manager: { title: "Manager", text: "The daily work, and people, API keys, webhooks, apps and workflows." },
  member: { title: "Member", text: "The daily work: contacts, conversations, opportunities and tasks." },
};
