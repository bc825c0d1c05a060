/** `crm health`: checks whether a running server is ready. */
import { CrmCommand } from "../terminal/command.ts";
import { Unreachable } from "../terminal/failures.ts";
import { describeTlsFault } from "../terminal/server-fault.ts";
import { readServerUrl, serverUrlFlag } from "../terminal/input/server-url.ts";

export default class Health extends CrmCommand {
  static override description = `Asks a running service whether it is ready: its database and its schema.

Exits 0 if it is, 1 if it is not, and 3 if nothing answers within five seconds or its certificate is not trusted. Needs no database.`;
  static override jsonResult =
    "{url, ready, status, database, schema, writes, worker_seen_at, oldest_due_delivery_at, last_backup_at, last_backup_bytes}";

  static override examples = [
    "<%= config.bin %> health",
    "<%= config.bin %> health --url https://crm.example.com --json",
  ];

  static override flags = serverUrlFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Health);
    const base = readServerUrl(flags.url, this.settings());
    let response: Response;
    try {
      response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5000) });
    } catch (error) {
      throw new Unreachable(describeTlsFault(error, base) ?? `No response from ${base}. Is crm serve running there?`);
    }
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    if (!response.ok) process.exitCode = 1;
    const parts = Object.entries(body).map(
      ([name, value]) => `${name}: ${value === null ? (name === "worker_seen_at" ? "never" : "none") : String(value)}`,
    );
    this.log(`${base} responded with ${response.status}\n${parts.join("\n")}`);
    return { url: base, ready: response.ok, ...body };
  }
}
