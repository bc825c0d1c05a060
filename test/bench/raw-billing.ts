/** Reports of payments in the raw limit: what is read and written, by hand. */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RawDatabase, Row, Work } from "./raw-database.ts";

export const billingTexts = {
  client: "select id, secret_hash from apps where client_id = ?",
  payer: "select workspace_id from locations where id = ?",
  keepSubscription: `insert into app_subscriptions as s (app_id, workspace_id, location_id, payment_status, amount_cents, payment_id,
      subscription_id, last_report_at, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (location_id, app_id) do update set payment_status = excluded.payment_status, amount_cents = excluded.amount_cents,
      payment_id = excluded.payment_id, subscription_id = coalesce(excluded.subscription_id, s.subscription_id),
      last_report_at = excluded.last_report_at, canceled_at = null
    where s.payment_id <> excluded.payment_id returning id`,
  insertReport: `insert into billing_reports (app_subscription_id, status, amount_cents, payment_type, payment_id, subscription_id,
      received_at) values (?, ?, ?, ?, ?, ?, ?)`,
};

export class RawBilling {
  readonly #database: RawDatabase;

  constructor(database: RawDatabase) {
    this.#database = database;
  }

  /** One of a location, which has a payment id. */
  async report({ headers }: IncomingMessage, body: Row): Promise<object> {
    const { read, statements, time } = this.#database;
    const [client] = await read(statements.client, [String(headers["x-service-client-key"])]);
    if (client?.secret_hash !== hash("sha256", String(headers["x-service-client-secret"]), "hex"))
      throw new Error("not the client of the benchmark");
    const location = Number(body.locationId);
    const [payer] = await read(statements.payer, [location]);
    const now = time(Date.now());
    return this.#database.change(function* (): Work<object> {
      const kept = [body.status, Math.round(body.amount * 100)];
      const ids = [body.paymentId, body.subscriptionId];
      const [subscription] = yield [
        statements.keepSubscription,
        [client.id, payer.workspace_id, location, ...kept, ...ids, now, now],
      ];
      yield [statements.insertReport, [subscription.id, ...kept, body.paymentType, ...ids, now]];
      return { ok: true };
    });
  }
}
