/** The text that shows the secret of an app, the only time it is shown. */
import { printable } from "./table.ts";

interface NewApp {
  readonly id: number;
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
}

export function describeNewApp(done: string, { id, name, client_id, client_secret }: NewApp): string {
  return `${done} app ${id} (${printable(name)}).
client id:     ${client_id}
client secret: ${client_secret}
The secret is shown only once.`;
}
