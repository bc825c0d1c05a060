/** The API of a `crm serve` that is measured, as a client calls it. */
import { Pool } from "undici";

export type Call = <Answer>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<Answer>;

/** Rejects at every answer that is not 2xx. */
export function clientOf(port: number, apiKey: string): { readonly call: Call; close(): Promise<void> } {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  return {
    async call<Answer>(method: string, path: string, body?: object) {
      const text = body === undefined ? null : JSON.stringify(body);
      const answer = await pool.request({ method, path: `/api/v1${path}`, headers, body: text });
      const answered = await answer.body.text();
      if (answer.statusCode > 299) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${answered}`);
      return (answered === "" ? undefined : JSON.parse(answered)) as Answer;
    },
    close: () => pool.close(),
  };
}
