/** The text index on PostgreSQL: created where the role may install pg_trgm, or finds it installed; everything works without. */
import { randomBytes } from "node:crypto";
import { expect, inject, onTestFinished, test } from "vitest";
import { textIndexes } from "../../src/crm/search/text-indexes.ts";
import { rebuildTexts } from "../../src/crm/text-index/text-index.follower.ts";
import { entities } from "../../src/entities.ts";
import { migrateUp } from "../../src/storage/migrations/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { administrate, databaseUrl } from "../support/postgres.ts";

const rebuild = { signal: AbortSignal.any([]), progress: () => {} };

test.each([
  { role: "may install it", may: "create", installed: false, uses: false, indexed: 0 },
  { role: "may not install it", may: "connect", installed: false, uses: true, indexed: null },
  { role: "finds it in another schema", may: "connect", installed: true, uses: true, indexed: 0 },
  { role: "may not use its schema", may: "connect", installed: true, uses: false, indexed: null },
])("a role that $role", async ({ may, installed, uses, indexed }) => {
  const server = inject("postgresUrl");
  const name = `crm_trgm_${randomBytes(6).toString("hex")}`;
  await administrate(server, `create role ${name} login password 'secret'`);
  await administrate(server, `create database ${name} template template1`);
  const superuser = databaseUrl(server, name);
  const url = new URL(superuser);
  [url.username, url.password] = [name, "secret"];
  onTestFinished(async () => {
    await administrate(server, `drop database ${name} with (force)`);
    await administrate(server, `drop role ${name}`);
  });
  const allow = () => administrate(superuser, `grant usage on schema shared to ${name}`);
  const install = () => administrate(superuser, "create extension if not exists pg_trgm schema shared");
  await administrate(superuser, "create schema shared");
  await administrate(superuser, `create schema crm authorization ${name}`);
  await administrate(server, `alter role ${name} in database ${name} set search_path = crm`);
  await administrate(server, `grant ${may} on database ${name} to ${name}`);
  if (installed) await install();
  if (uses) await allow();

  const database = await openDatabase(url.href, entities);
  try {
    await migrateUp(database);
    expect(await database.rows("select id from text_indexes")).toHaveLength(indexed === null ? 0 : textIndexes.length);
    for (const texts of textIndexes) expect(await rebuildTexts(database, texts, rebuild)).toBe(indexed);
    if (indexed === null) {
      await install();
      await allow();
    }
    for (const texts of textIndexes) expect(await rebuildTexts(database, texts, rebuild)).toBe(0);
    expect(await database.rows("select indexname from pg_indexes where indexdef like '%gin_trgm_ops%'")).toHaveLength(
      textIndexes.length,
    );
  } finally {
    await database.close();
  }
});
