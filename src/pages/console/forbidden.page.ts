/** 403: the page is for other roles; it names the people to ask. */
import type { Role } from "../../vocabulary/states.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { WorkView } from "../as-person.ts";
import { work } from "../layout/work.ts";
import { empty } from "../parts/lists/empty.ts";
import { isolatedName } from "../parts/name.ts";

interface Forbidden {
  /** The plural noun that the page shows. */
  readonly noun: string;
  /** The roles that may see it, highest first. */
  readonly roles: readonly Role[];
  /** The names of people with one of these roles who can sign in. */
  readonly whom: readonly string[];
}

const list = new Intl.ListFormat("en", { type: "conjunction" });
const either = new Intl.ListFormat("en", { type: "disjunction" });

export function forbiddenPage(here: WorkView, { noun, roles, whom }: Forbidden): Html {
  const { site } = here;
  const title = `Only ${list.format(roles.map((role) => `${role}s`))} see ${nounInSentence(noun)}`;
  return work(here, {
    title,
    at: null,
    head: { title: noun, isHeading: false },
    content: empty(site, {
      icon: "lock",
      level: "h1",
      title,
      text:
        whom.length === 0
          ? "Ask an owner of this workspace."
          : html`Ask
            ${either.formatToParts(whom).map(({ type, value }) => (type === "element" ? isolatedName(value) : value))}.`,
      action: html`<a class="button" href="${site.path("/")}">To your locations</a>`,
    }),
  });
}

/** A noun that begins with an acronym keeps its capitals. */
function nounInSentence(noun: string): string {
  return /^[A-Z]{2}/.test(noun) ? noun : noun.charAt(0).toLowerCase() + noun.slice(1);
}
