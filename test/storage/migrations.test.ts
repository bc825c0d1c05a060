/** Migrations run up, down and up again, once with concurrent starts, and produce the schema of the entities. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MikroORM as PostgresORM } from "@mikro-orm/postgresql";
import { MikroORM as SqliteORM } from "@mikro-orm/sqlite";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { migrationOptions } from "../../config/mikro-orm.config.ts";
import { entities } from "../../src/entities.ts";
import type { Database } from "../../src/storage/database.ts";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { migrateDown, migrateUp, requireCurrentSchema, schemaState } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import type { Value } from "../../src/storage/value.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { startNode } from "../support/node-process.ts";
import { administrate } from "../support/postgres.ts";
import { writeMigrations } from "../support/write-migrations.ts";

async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    database.dialect === "sqlite"
      ? "select name from sqlite_master where type = 'table' and name <> 'sqlite_sequence' order by name"
      : "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  return rows.map(({ name }) => name);
}

/** The columns of an index and their order, as each database reports them. */
function columnsOf(createIndex: string): string {
  return (/\(([^()]*)\)/.exec(createIndex)?.[1] ?? "").replaceAll(/["`]/g, "").toLowerCase();
}

describe.each(databaseKinds)("migrations on %s", (kind) => {
  const names = readMigrationNames(migrationFolder(kind));

  it.each(names)("%s says in its first line what it changes", async (name) => {
    const text = await readFile(join(migrationFolder(kind), `${name}.ts`), "utf8");
    expect(text.split("\n")[0]).toMatch(/^\/\*\* (?!TODO)[A-Z].*\. \*\/$/);
  });

  it("go up, down and up again", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    expect(await schemaState(database)).toEqual({ applied: [], pending: names, unknown: [] });
    await expect(requireCurrentSchema(database)).rejects.toThrow('The database is empty: run "crm setup"');

    const applied = await migrateUp(database);
    expect(applied.map(({ name }) => name)).toEqual(names);
    expect(await schemaState(database)).toEqual({ applied: names, pending: [], unknown: [] });
    const tables = await tablesOf(database);
    expect(tables).toContain("contacts");
    await requireCurrentSchema(database);
    expect(await migrateUp(database)).toEqual([]);

    const taken = await migrateDown(database, { to: names[0] });
    expect(taken.map(({ name }) => name)).toEqual(names.toReversed());
    expect(await tablesOf(database)).toEqual(["schema_migrations"]);
    expect(await migrateDown(database)).toEqual([]);

    await migrateUp(database);
    expect(await tablesOf(database)).toEqual(tables);
    expect(await database.rows("select id, last_position from event_log")).toEqual([{ id: 1, last_position: 0 }]);
  });

  it("print a dry run without changing even an empty database", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const runs = await migrateUp(fresh.database, { dryRun: true });
    expect(runs.flatMap(({ statements }) => statements).join("\n")).toMatch(/create table .contacts/);
    expect(await tablesOf(fresh.database)).toEqual([]);
  });

  it.each([
    [
      "before a name that does not exist",
      "Migration19990101000000_none",
      "There is no migration Migration19990101000000_none",
    ],
  ])("stop %s", async (_where, to, message) => {
    await using fresh = await openFresh(kind, { migrated: false });
    await expect(migrateUp(fresh.database, { to })).rejects.toThrow(message);
  });

  it("refuse a schema newer than the program", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await database.transaction(({ rows }) =>
      rows("insert into schema_migrations (name) values (?)", ["Migration29990101000000_later"]),
    );
    const message = "newer than this version of crm, which does not know Migration29990101000000_later";
    await expect(migrateUp(database)).rejects.toThrow(message);
    await expect(migrateDown(database)).rejects.toThrow(message);
    await expect(requireCurrentSchema(database)).rejects.toThrow(message);
    expect(await schemaState(database)).toMatchObject({ pending: [], unknown: ["Migration29990101000000_later"] });
  });

  it.each([
    ["with tables of another program", ["create table invoices (id integer)"]],
    ["with a migrations table of another program", ["create table schema_migrations (version text)"]],
    [
      "with a migrations table like ours and none of our migrations",
      [
        "create table schema_migrations (id integer, name text, executed_at text)",
        "insert into schema_migrations (id, name) values (1, 'Migration20200101000000_theirs')",
      ],
    ],
  ])("refuse a database %s", async (_what, statements) => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    await database.transaction(async ({ rowsOnce }) => {
      for (const statement of statements) await rowsOnce(statement);
    });
    const before = await tablesOf(database);
    await expect(migrateUp(database)).rejects.toThrow("The database contains tables of other programs");
    await expect(schemaState(database)).rejects.toThrow("The database contains tables of other programs");
    expect(await tablesOf(database)).toEqual(before);
  });

  it("run once with two concurrent processes: the second waits and finds nothing to do", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const script = join(import.meta.dirname, "../support/migrate-in-process.ts");
    // Both wait for the lock that this process holds, which guarantees that they run concurrently.
    const processes = await fresh.database.exclusively("migrate", async () => {
      const started = [startNode([script, fresh.url]), startNode([script, fresh.url])];
      await Promise.all(started.map((process) => process.match(/asking/)));
      return started;
    });
    const finished = await Promise.all(processes.map((process) => process.finished));
    expect(finished.map(({ stderr }) => stderr)).toEqual(["", ""]);
    const applied = finished.map(({ stdout }) => stdout.match(/applied: (.*)/)?.[1] ?? "").toSorted();
    expect(applied).toEqual(["", names.join(",")]);
    expect(await schemaState(fresh.database)).toEqual({ applied: names, pending: [], unknown: [] });
  });

  it("are rolled back when a statement fails", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database, directory } = fresh;
    await writeMigrations(directory, {
      Migration20260101000000_half: ["create table half (id integer)", "create tabel other"],
    });
    await expect(migrateUp(database, { folder: directory })).rejects.toThrow(/syntax error/);
    expect(await tablesOf(database)).toEqual([]);
  });

  it("produce exactly the schema of the entities", async () => {
    await using fresh = await openFresh(kind);
    const options = { ...migrationOptions(kind), entities: migrationOptions(kind).entities };
    const orm =
      kind === "sqlite"
        ? await SqliteORM.init({ ...options, dbName: fresh.url.slice("sqlite:".length) })
        : // The comparison expects the server to quote as little as it does by default.
          await PostgresORM.init({
            ...options,
            dbName: undefined,
            clientUrl: fresh.url,
            driverOptions: { options: "-c quote_all_identifiers=off" },
          });
    try {
      // The snapshot for the next migration, and a database with all migrations.
      expect(await orm.migrator.checkSchema(), "entities have changed: npm run migrations:create NAME").toBe(false);
      expect(await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false })).toBe("");
    } finally {
      await orm.close(true);
    }
  });

  it("rebuild keys that had lost extensions and the letters ß and ς", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    const keys = names.find((name) => name.endsWith("keys_of_contacts"))!;
    await migrateUp(database, { to: names[names.indexOf(keys) - 1] });
    // phone as it is shown, its key before and after; e-mail, its key before and after
    const rows = [
      ["(415) 555-2671", "+14155552671", "+14155552671", "Ada@X.com", "ada@x.com", "ada@x.com"],
      ["(415) 555-2671 ext. 12", "+14155552671", "+14155552671;ext=12", "Straße@x.de", "strasse@x.de", "straße@x.de"],
      ["020 7946 0018 x5", "+442079460018", "+442079460018;ext=5", "Strasse@x.de", "strasse@x.de", "strasse@x.de"],
      ["(02) 2123 4567#012", "+886221234567", "+886221234567;ext=012", "τέλος@x.gr", "τέλοσ@x.gr", "τέλος@x.gr"],
      ["ask ext. 5", "raw:ask ext. 5", "raw:ask ext. 5", "ﬁne@x.com", "fine@x.com", "fine@x.com"],
      [null, null, null, null, null, null],
    ] as const;
    const now = new Date();
    const made = { created_at: now, updated_at: now };
    const unset = { address1: "", city: "", state: "", zip: "", phone_public: "", website: "" };
    const nameless = { name: "", name_key: "", first_name: "", last_name: "", dnd: false };
    await database.transaction(async (transaction) => {
      const insert = async (table: string, record: Record<string, Value>): Promise<number> => {
        const [id] = await insertRows(transaction, { table, columns: Object.keys(record) }, [record]);
        return id!;
      };
      const workspace_id = await insert("workspaces", { name: "Acme", created_at: now });
      const place = { workspace_id, name: "North", country: "US", timezone: "UTC" };
      const location_id = await insert("locations", { ...place, ...unset, ...made });
      for (const [phone_display, phone_key, , email, email_key] of rows) {
        const keyed = { phone_display, phone_key, email, email_key };
        await insert("contacts", { location_id, ...nameless, ...keyed, last_activity_at: now, ...made });
      }
      await insert("users", { name: "", email: "Weiß@x.de", email_key: "weiss@x.de", created_at: now });
    });
    const stored = async () => [
      ...(await database.rows<{ phone_key: string; email_key: string }>(
        "select phone_key, email_key from contacts order by id",
      )),
      ...(await database.rows<{ email_key: string }>("select email_key from users")),
    ];
    const before = await stored();
    await migrateUp(database, { to: keys });
    expect(await stored()).toEqual([
      ...rows.map(([, , phone_key, , , email_key]) => ({ phone_key, email_key })),
      { email_key: "weiß@x.de" },
    ]);
    await migrateDown(database, { to: keys });
    expect(await stored()).toEqual(before);
  });

  it("turn the queued messages of each conversation into a FIFO queue with only the first message due", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    const lines = names.find((name) => name.endsWith("lines_of_messages"))!;
    await migrateUp(database, { to: names[names.indexOf(lines) - 1] });
    const at = new Date(1_800_000_000_000);
    const [due, leased] = [
      { due_at: at, leased_until: null },
      { due_at: null, leased_until: at },
    ];
    const waiting = [
      { conversation: 0, ...due },
      { conversation: 1, ...leased },
      { conversation: 0, ...leased },
      { conversation: 1, ...due },
      { conversation: 0, ...due },
    ];
    await database.transaction(async (transaction) => {
      const insert = async (table: string, record: Record<string, Value>): Promise<number> => {
        const [id] = await insertRows(transaction, { table, columns: Object.keys(record) }, [record]);
        return id!;
      };
      const workspace_id = await insert("workspaces", { name: "Acme", created_at: at });
      const unset = { address1: "", city: "", state: "", zip: "", phone_public: "", website: "" };
      const place = { workspace_id, name: "North", country: "US", timezone: "UTC", ...unset };
      const location_id = await insert("locations", { ...place, created_at: at, updated_at: at });
      const reached = { name: "Desk", address: "", transport: "http", status: "active" };
      const token = { inbound_hash: "", inbound_token: "" };
      const channel_id = await insert("channels", { location_id, kind: "sms", ...reached, ...token, created_at: at });
      const open = { location_id, channel_id, kind: "sms", status: "open", last_message_at: at, created_at: at };
      const conversations = [await insert("conversations", open), await insert("conversations", open)];
      for (const { conversation, due_at, leased_until } of waiting) {
        const conversation_id = conversations[conversation]!;
        const text = { conversation_id, channel_id, direction: "outbound", kind: "text", status: "queued" };
        const message_id = await insert("messages", { ...text, created_at: at });
        await insert("message_sends", { message_id, channel_id, due_at, leased_until });
      }
    });
    await migrateUp(database, { to: lines });
    const rows = await database.rows<{ at_head: boolean | number }>(
      "select at_head, due_at, leased_until from message_sends order by message_id",
    );
    const [none, time] = [{ due_at: null, leased_until: null }, at.getTime()];
    expect(rows.map((row) => ({ ...row, at_head: Boolean(row.at_head) }))).toEqual([
      { at_head: true, due_at: time, leased_until: null },
      { at_head: true, due_at: null, leased_until: time },
      { at_head: false, ...none },
      { at_head: false, ...none },
      { at_head: false, ...none },
    ]);
    await migrateDown(database, { to: lines });
    await migrateUp(database);
  });

  it("move the webhooks that runs wait to post into the queue of their workflow, and back", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    const posts = names.find((name) => name.endsWith("workflow_posts"))!;
    await migrateUp(database, { to: names[names.indexOf(posts) - 1] });
    const at = 1_800_000_000_000;
    await database.transaction(async (transaction) => {
      const insert = async (table: string, record: Record<string, Value>): Promise<number> => {
        const [id] = await insertRows(transaction, { table, columns: Object.keys(record) }, [record]);
        return id!;
      };
      const created_at = new Date(at);
      const workspace_id = await insert("workspaces", { name: "Acme", created_at });
      const unset = { address1: "", city: "", state: "", zip: "", phone_public: "", website: "" };
      const place = { workspace_id, name: "North", country: "US", timezone: "UTC", ...unset };
      const location_id = await insert("locations", { ...place, created_at, updated_at: created_at });
      const [name, keys] = [{ name: "Ada" }, { name_key: "ada", first_name_key: "ada", last_name_key: "" }];
      const contact = { location_id, ...name, ...keys, first_name: "Ada", last_name: "" };
      const times = { last_activity_at: created_at, created_at, updated_at: created_at };
      const contact_id = await insert("contacts", { ...contact, dnd: false, ...times });
      const flow = { location_id, name: "Flow", status: "published", allow_reentry: true, draft: "{}" };
      for (const waiting of [[null, at + 2, at + 1], [null]]) {
        const workflow_id = await insert("workflows", { ...flow, created_at, updated_at: created_at });
        const version = { workflow_id, number: 1, definition: "{}", created_at };
        const version_id = await insert("workflow_versions", version);
        const run = { location_id, workflow_id, version_id, contact_id, status: "active", context: "{}" };
        for (const [attempts, time] of waiting.entries()) {
          const leased_until = time === null ? null : new Date(time);
          await insert("workflow_runs", {
            ...run,
            wait_reason: "none",
            attempts,
            leased_until,
            enrolled_at: created_at,
          });
        }
      }
    });
    const leases = () => database.rows("select id, attempts, leased_until from workflow_runs order by id");
    const before = await leases();
    await migrateUp(database, { to: posts });
    expect(
      await database.rows("select run_id, workflow_id, attempt, due_at, leased_until from workflow_posts order by id"),
    ).toEqual([
      { run_id: 3, workflow_id: 1, attempt: 2, due_at: at + 1, leased_until: null },
      { run_id: 2, workflow_id: 1, attempt: 1, due_at: at + 2, leased_until: null },
    ]);
    expect(await database.rows("select workflow_id, due_at from workflow_queues order by workflow_id")).toEqual([
      { workflow_id: 1, due_at: at + 1 },
      { workflow_id: 2, due_at: null },
    ]);
    await migrateDown(database, { to: posts });
    expect(await leases()).toEqual(before);
    await migrateUp(database);
  });

  it("keep the newest active install of an app per location, and existing refresh tokens", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    const living = names.find((name) => name.endsWith("living_installs"))!;
    await migrateUp(database, { to: names[names.indexOf(living) - 1] });
    const at = new Date(1_800_000_000_000);
    await database.transaction(async (transaction) => {
      const insert = async (table: string, record: Record<string, Value>): Promise<number> => {
        const [id] = await insertRows(transaction, { table, columns: Object.keys(record) }, [record]);
        return id!;
      };
      const workspace_id = await insert("workspaces", { name: "Acme", created_at: at });
      const unset = { address1: "", city: "", state: "", zip: "", phone_public: "", website: "" };
      const place = { workspace_id, country: "US", timezone: "UTC", ...unset, created_at: at, updated_at: at };
      const [north, south] = [
        await insert("locations", { ...place, name: "North" }),
        await insert("locations", { ...place, name: "South" }),
      ];
      const user_id = await insert("users", {
        name: "Ada",
        email: "ada@x.com",
        email_key: "ada@x.com",
        created_at: at,
      });
      const joined = { workspace_id, user_id, role: "owner", all_locations: true, created_at: at };
      const membership_id = await insert("memberships", joined);
      const secret = { client_id: "a", secret_hash: "a", secret_last_four: "aaaa" };
      const app = { workspace_id, name: "App", ...secret, redirect_uris: "[]", scopes: "[]", billing: "none" };
      const app_id = await insert("apps", { ...app, install_type: "location", created_at: at });
      const install = { app_id, user_id, user_name: "Ada", installed_at: at };
      for (const [location_id, uninstalled_at] of [
        [north, at],
        [north, null],
        [south, null],
        [north, null],
      ] as const)
        await insert("app_installs", { ...install, location_id, scopes: "[]", uninstalled_at });
      const grant_id = await insert("oauth_grants", { app_id, location_id: north, membership_id, created_at: at });
      const times = { access_expires_at: at, refresh_expires_at: at };
      const token = { grant_id, access_hash: "a", refresh_hash: "r", scopes: "[]", ...times };
      await insert("oauth_tokens", token);
    });
    await migrateUp(database);
    const installs = await database.rows("select id from app_installs where uninstalled_at is null order by id");
    expect(installs).toEqual([{ id: 3 }, { id: 4 }]);
    const tokens = await database.rows("select refresh_hash, family_hash from oauth_tokens");
    expect(tokens).toEqual([{ refresh_hash: "r", family_hash: null }]);
  });

  it("create the indexes that entities write as expressions, which are otherwise compared by name only", async () => {
    await using fresh = await openFresh(kind);
    const written = [...fresh.database.orm.getMetadata().getAll().values()].flatMap(({ indexes }) =>
      indexes.flatMap(({ name, expression }) =>
        typeof expression === "string" ? [{ name, columns: columnsOf(expression) }] : [],
      ),
    );
    const text = {
      sqlite: "select name, sql from sqlite_master where type = 'index'",
      postgres: "select indexname as name, indexdef as sql from pg_indexes",
    };
    const made = await fresh.database.rows<{ name: string; sql: string | null }>(text);
    const columns = new Map(made.map(({ name, sql }) => [name, columnsOf(sql ?? "")]));
    expect(written.length).toBeGreaterThan(5);
    expect(written.map(({ name }) => ({ name, columns: columns.get(name!) }))).toEqual(written);
  });

  it("have one file per migration and database", () => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.map(withoutTime)).toEqual(
      readMigrationNames(migrationFolder(kind === "sqlite" ? "postgres" : "sqlite")).map(withoutTime),
    );
  });
});

describe("a PostgreSQL user who may not change the schema", () => {
  it.each([
    ["creates no tables", false, /: permission denied for schema public\. Make the user the owner of the database /],
    ["changes no tables", true, /: must be owner of \w+ \w+\. Make the user the owner of the database /],
  ])("%s, and is told what to do", async (_what, migrated, sentence) => {
    await using fresh = await openFresh("postgres", { migrated });
    const user = `crm_user_${randomBytes(4).toString("hex")}`;
    await administrate(
      fresh.url,
      `create role ${user} login password 'secret'; grant all on all tables in schema public to ${user};
       grant ${migrated ? "create" : "usage"} on schema public to ${user};
       alter role ${user} set session_replication_role = 'origin'`,
    );
    const url = Object.assign(new URL(fresh.url), { username: user, password: "secret" }).href;
    const database = await openDatabase(url, entities);
    try {
      // As far as the last one that changes the schema.
      const run = migrated
        ? migrateDown(database, { to: "Migration20261129020902_alphabets_of_lines" })
        : migrateUp(database);
      await expect(run).rejects.toThrow(sentence);
    } finally {
      await database.close();
      await administrate(fresh.url, `drop owned by ${user}; drop role ${user}`);
    }
  });
});

describe("a recreated table on SQLite", () => {
  const parentsAndChildren = [
    "create table parents (id integer primary key autoincrement, name text)",
    "create table children (id integer primary key autoincrement, parent_id integer not null references parents (id) on delete cascade)",
    "insert into parents (name) values ('Ada'), ('Bea'), ('gone')",
    "insert into children (parent_id) values (1), (2)",
    "delete from parents where name = 'gone'",
  ];
  const rebuilt = [
    "pragma foreign_keys = off",
    "create table parents_copy (id integer primary key autoincrement, name text not null)",
    "insert into parents_copy select id, name from parents",
    "drop table parents",
    "alter table parents_copy rename to parents",
    "pragma foreign_keys = on",
  ];
  const first = "Migration20260101000000_first";

  it("keeps rows that reference it with ON DELETE CASCADE, and does not reuse ids", async () => {
    await using fresh = await openFresh("sqlite", { migrated: false });
    const { database, directory } = fresh;
    await writeMigrations(directory, { [first]: parentsAndChildren, Migration20260102000000_rebuilt: rebuilt });
    await migrateUp(database, { folder: directory, to: first });
    await migrateUp(database, { folder: directory });
    expect(await database.rows("select parent_id from children order by id")).toEqual([
      { parent_id: 1 },
      { parent_id: 2 },
    ]);
    const added = await database.transaction(({ rows }) =>
      rows("insert into parents (name) values ('Cleo') returning id"),
    );
    expect(added).toEqual([{ id: 4 }]);
    // Foreign keys are enforced again.
    await database.transaction(({ rows }) => rows("delete from parents where id = 1"));
    expect(await database.rows("select parent_id from children")).toEqual([{ parent_id: 2 }]);
  });

  it("checks the foreign keys of and to the tables that it writes, and reads no others", async () => {
    await using fresh = await openFresh("sqlite", { migrated: false });
    const { database, directory, url } = fresh;
    const added = "Migration20260102000000_added";
    await writeMigrations(directory, {
      [first]: parentsAndChildren,
      [added]: ["alter table parents add column age integer null", "create table pets (id integer)"],
      Migration20260103000000_rebuilt: rebuilt,
    });
    await migrateUp(database, { folder: directory, to: first });
    const other = new BetterSqlite(url.slice("sqlite:".length));
    other.pragma("foreign_keys = off");
    other.exec("insert into children (parent_id) values (99)");
    other.close();
    await migrateUp(database, { folder: directory, to: added });
    await expect(migrateUp(database, { folder: directory })).rejects.toThrow(
      "1 rows violate a foreign key, the first in children to parents",
    );
  });

  it("is unchanged if a row would violate a foreign key", async () => {
    await using fresh = await openFresh("sqlite", { migrated: false });
    const { database, directory } = fresh;
    await writeMigrations(directory, {
      [first]: parentsAndChildren,
      Migration20260102000000_broken: [...rebuilt, "delete from parents where id = 2"],
    });
    await migrateUp(database, { folder: directory, to: first });
    await expect(migrateUp(database, { folder: directory })).rejects.toThrow(
      "1 rows violate a foreign key, the first in children to parents",
    );
    expect(await database.rows("select name from parents order by id")).toEqual([{ name: "Ada" }, { name: "Bea" }]);
    const [pragma] = await database.transaction(({ rows }) => rows("pragma foreign_keys"));
    expect(pragma).toEqual({ foreign_keys: 1 });
  });
});

function withoutTime(name: string): string {
  return name.replace(/\d{14}/, "");
}
