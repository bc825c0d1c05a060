/** The text that shows the secret of an app, the only time it is shown. */
import { printable } from "./table.ts";

interface NewApp {
  readonly id: number;
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly webhook_secret?: string | undefined;
}

export function describeNewApp(
  done: string,
  { id, name, client_id, client_secret, webhook_secret: webhookSecret }: NewApp,
): string {
  const lines = [
    `${done} app ${id} (${printable(name)}).`,
    `client id:      ${client_id}`,
    `client secret:  ${client_secret}`,
    webhookSecret === undefined ? "The secret is shown only once." : `webhook secret: ${webhookSecret}`,
  ];
  return [...lines, ...(webhookSecret === undefined ? [] : ["The secrets are shown only once."])].join("\n");
}
