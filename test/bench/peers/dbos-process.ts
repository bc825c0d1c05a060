/**
 * Ten steps of a DBOS workflow: seven write a row of the application, and three decide. Runs as many as it is told with each message, and
 * answers with runs a second. Arguments: the folder in which DBOS is installed, its database, runs and clients.
 */
import { loaderOf } from "./installed.ts";

const [, , folder = "", url = "", runs = "", clients = ""] = process.argv;
const load = loaderOf(folder);
const { DBOS } = load("@dbos-inc/dbos-sdk");
const pg = load("pg");

const pool = new pg.Pool({ connectionString: url, max: 20 });
await pool.query("create table notes (id bigserial primary key, contact_id int, body text)");
await pool.query("create table contact_tags (contact_id int, tag text)");

const write = (name: string, text: string, values: unknown[]): Promise<null> =>
  DBOS.runStep(async () => pool.query(text, values).then(() => null), { name });
const note = (contact: number, body: string) =>
  write("note", "insert into notes (contact_id, body) values ($1, $2)", [contact, body]);
const tag = (contact: number, name: string) =>
  write("tag", "insert into contact_tags values ($1, $2)", [contact, name]);
const branch = (holds: boolean): Promise<boolean> => DBOS.runStep(async () => holds, { name: "branch" });

const ten = DBOS.registerWorkflow(
  async (contact: number, context: { readonly interest: string; readonly city: string }) => {
    await note(contact, "Hello");
    await branch(true);
    await tag(contact, "first");
    await note(contact, `Is interested in ${context.interest}`);
    await branch(context.city === "Nowhere");
    await tag(contact, "second");
    await note(contact, "Third");
    await branch(context.interest === "none");
    await tag(contact, "third");
    await note(contact, "Last");
  },
  { name: "ten" },
);

DBOS.setConfig({ name: "ten", systemDatabaseUrl: url, logLevel: "error", runAdminServer: false });
await DBOS.launch();

let contact = 0;
process.on("message", async () => {
  const begun = performance.now();
  const started: { getResult(): Promise<unknown> }[] = [];
  let left = Number(runs);
  await Promise.all(
    Array.from({ length: Number(clients) }, async () => {
      while (left-- > 0) {
        contact += 1;
        started.push(await DBOS.startWorkflow(ten)(contact, { interest: "engines", city: "London" }));
      }
    }),
  );
  await Promise.all(started.map((one) => one.getResult()));
  process.send!((Number(runs) / (performance.now() - begun)) * 1000);
});
process.on("disconnect", () => process.exit());
process.send!("ready");
