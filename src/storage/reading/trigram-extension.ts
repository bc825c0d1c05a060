/** The GIN index of trigrams of a table, which needs the extension pg_trgm. */

export const extensionIsMissing = "The PostgreSQL extension pg_trgm is not installed";

/** SQL that is true where the index exists. */
export function hasTrigrams(table: string): string {
  return `to_regclass('${table}_by_trigram') is not null`;
}

/**
 * A statement that creates the index where it is missing, and the extension if the role may do so; where the role may not use the extension, it does nothing.
 * Its list of pending entries is short, because each search reads all of it. `expressions`: SQL of the indexed texts.
 */
export function createTrigrams(table: string, expressions: readonly string[] = ["text"]): string {
  const columns = expressions.map((expression) => `(${expression.replaceAll("'", "''")}) %1$I.gin_trgm_ops`).join(", ");
  return `do $$
    declare
      extension_schema text;
    begin
      begin
        create extension if not exists pg_trgm;
      exception when others then
        raise notice 'pg_trgm is not installed: %', sqlerrm;
      end;
      select nspname into extension_schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
      if extension_schema is not null then
        execute format('create index if not exists ${table}_by_trigram on ${table} using gin (${columns})
          with (gin_pending_list_limit = 256)', extension_schema);
      end if;
    exception when insufficient_privilege then
      raise notice 'the text index is not created: %', sqlerrm;
    end $$`;
}
