/** The probe of a trigram index: how many rows contain a text, from a bounded sample. */
import type { SqlText } from "../sql-text.ts";

/** The entries of a trigram's list that are read on SQLite. */
const entries = 100;
/** The rows that are read on PostgreSQL: the next ones at ids that are spread by the golden ratio, since texts may repeat at round distances. */
const places = 100;
const rowsAtPlace = 5;
const golden = 0.61803398875;

/**
 * Binds a JSON list of texts; gives as `part` those that the index of `table` answers, and as `expected` the rows that contain them. On SQLite
 * those are trigrams; on PostgreSQL trigrams of letters and digits of the database's locale, and longer texts.
 */
export function estimateTrigrams(table: string): SqlText {
  return {
    sqlite: `select value as part, (
        select case when count(*) < ${entries} then count(*) else ${entries} * (select max(id) from ${table}_docsize) / max(id) end
        from (select rowid as id from ${table} where ${table} match '"' || replace(parts.value, '"', '""') || '"' limit ${entries})
      ) as expected
      from json_each(?) as parts where length(value) = 3`,
    postgres: `with ends as (select min(id) as first, max(id) as last from ${table}),
      sample as materialized (
        select nearby.text from ends cross join generate_series(0, ${places - 1}) as step cross join lateral (
          select text from ${table} where id >= ends.first + cast((ends.last - ends.first) * mod(step * ${golden}, 1) as bigint) order by id limit ${rowsAtPlace}
        ) as nearby)
      select value as part, (select count(*) from sample where strpos(text, value) > 0) * ends.last / (select count(*) from sample) as expected
      from ends cross join json_array_elements_text(cast(? as json)) as parts(value)
      where ends.last is not null and (char_length(value) > 3 or (value ~ '^[[:alnum:]]+$' and (value ~ '^[!-~]+$'
        or (select datctype from pg_database where datname = current_database()) not in ('C', 'POSIX'))))`,
  };
}
