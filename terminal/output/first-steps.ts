/** What a person is told after the first start: what was set up, and a line to paste. */
import type { SetupView } from "../../src/setup.ts";

/** `keyFile` holds the key; curl reads it from stdin, since every user of the machine sees what a program is started with. */
export function describeFirstSteps(url: string, { workspace, location }: SetupView, keyFile: string): string {
  const contact = {
    location_id: location.id,
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@example.com",
  };
  return [
    `Set up: workspace ${workspace.id} "${workspace.name}", location ${location.id} "${location.name}". The API key is in ${keyFile}.`,
    "Try it:",
    `  sed 's/^/Authorization: Bearer /' ${quoted(keyFile)} | curl -s ${url}/api/v1/contacts -H @- -H 'Content-Type: application/json' -d '${JSON.stringify(contact)}'`,
    `The API reference is at ${url}/docs`,
  ].join("\n");
}

/** As one word of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
