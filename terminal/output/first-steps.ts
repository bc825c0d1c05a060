/** The text after the first start: what was created, and a command to paste. */
import type { Links } from "../../src/kit/links.ts";
import { shellWord } from "../../src/kit/text.ts";
import type { SetupView } from "../../src/setup/setup.view.ts";
import { placeholderEmail } from "../../src/tenancy/invitations/setup-link.service.ts";
import { describeNewKey } from "./new-key.ts";
import { printable } from "./table.ts";

/**
 * `keyFile` holds the key; curl reads it from stdin, because process arguments are visible to other users of the
 * machine.
 */
export function describeFirstSteps(url: string, { workspace, location, owner }: SetupView, keyFile: string): string {
  const contact = {
    location_id: location.id,
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@example.com",
  };
  return [
    `Set up: workspace ${workspace.id} "${workspace.name}", location ${location.id} "${location.name}". The API key is in ${keyFile}.`,
    ...(owner.set_password_url === undefined
      ? [signInStep]
      : ["Sign in and choose your names here; the link works once, within an hour:", `  ${owner.set_password_url}`]),
    "Try the API:",
    `  sed 's/^/Authorization: Bearer /' ${shellWord(keyFile)} | curl -s ${url}/api/v1/contacts -H @- -H 'Content-Type: application/json' -d '${JSON.stringify(contact)}'`,
    `The API reference is at ${url}/docs`,
  ].join("\n");
}

/** Shown instead of the link: a secret is printed on a terminal only, and not in a log. */
export const signInStep = `To sign in and choose your names, open the link that this prints: crm users reset-password ${placeholderEmail}`;

/** What `crm setup` created, including the key, and the next steps. */
export function describeSetup({ workspace, location, owner, api_key }: SetupView, links: Links): string {
  return [
    `Created workspace ${workspace.id} (${printable(workspace.name)}).`,
    `Created location ${location.id} (${printable(location.name)}).`,
    `Created owner ${owner.id} (${owner.email}).`,
    ...(owner.set_password_url === undefined
      ? []
      : [`The owner sets a password here; the link works once, within a week:\n${owner.set_password_url}`]),
    describeNewKey("Created", { ...api_key, name: "default" }),
    "",
    "Next:",
    "  crm serve                               start the service",
    `  ${links.to("/docs").padEnd(38)}  its reference, where every call can be tried with the key`,
    "  crm users invite EMAIL --role member    add people",
    "  crm contacts import FILE.csv            import contacts",
    "With the key in a file, KEYFILE:",
    `  sed 's/^/Authorization: Bearer /' KEYFILE | curl -s ${links.to("/api/v1/locations")} -H @-`,
  ].join("\n");
}
