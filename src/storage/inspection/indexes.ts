/** Compares the indexes of the database with those that the entities declare, by their names, as migrations do. */
import type { EntityMetadata } from "@mikro-orm/core";
import type { Database } from "../database.ts";
import { schemaOfTables } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

export interface MissingIndex {
  readonly name: string;
  /** The statement that creates it. */
  readonly create: string;
}

const presentText: SqlText = {
  sqlite: "select name from sqlite_master where type = 'index'",
  postgres: "select indexname as name from pg_indexes where schemaname = current_schema()",
};

/** An index whose creation was interrupted, or whose rows were not unique: it is written, and not read. */
const invalidText: SqlText = {
  sqlite: "",
  postgres: `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = ${schemaOfTables} and not (indisvalid and indisready) order by relname`,
};

/** Those that the entities declare and the database lacks. */
export async function findMissingIndexes(database: Database): Promise<MissingIndex[]> {
  const present = new Set((await database.rowsOnce<{ name: string }>(presentText)).map(({ name }) => name));
  const declared = [...database.orm.getMetadata().getAll().values()].flatMap(indexesOf);
  return declared.filter(({ name }) => !present.has(name));
}

/** The names of indexes that PostgreSQL does not use. */
export async function findInvalidIndexes(database: Database): Promise<string[]> {
  return (await database.rowsOnce<{ name: string }>(invalidText)).map(({ name }) => name);
}

interface DeclaredIndex {
  readonly name?: unknown;
  readonly properties?: unknown;
  readonly expression?: unknown;
}

function indexesOf(entity: EntityMetadata): MissingIndex[] {
  const declare = (index: DeclaredIndex, unique: boolean): MissingIndex[] => {
    if (typeof index.name !== "string") return [];
    const { name } = index;
    if (typeof index.expression === "string") return [{ name, create: `${index.expression};` }];
    const columns = [index.properties ?? []].flat().flatMap((property) => columnsOf(entity, String(property)));
    const list = columns.map((column) => `"${column}"`).join(", ");
    return [{ name, create: `create ${unique ? "unique " : ""}index "${name}" on "${entity.tableName}" (${list});` }];
  };
  const named = Object.entries(entity.properties).flatMap(([property, { index, unique }]) => [
    ...declare({ name: index, properties: property }, false),
    ...declare({ name: unique, properties: property }, true),
  ]);
  return [
    ...entity.indexes.flatMap((index) => declare(index, false)),
    ...entity.uniques.flatMap((index) => declare(index, true)),
    ...named,
  ];
}

function columnsOf(entity: EntityMetadata, property: string): readonly string[] {
  return Object.entries(entity.properties).find(([name]) => name === property)?.[1].fieldNames ?? [property];
}
