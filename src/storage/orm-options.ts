/** What both databases are opened with: the entities, and the few settings of MikroORM that we depend on. */
import type { EntitySchema } from "@mikro-orm/core";

// oxlint-disable-next-line typescript/no-explicit-any -- the only type that every entity fits
export type Entities = readonly EntitySchema<any>[];

export interface OrmOptions {
  entities: EntitySchema[];
  forceUtcTimezone: boolean;
  ensureDatabase: false;
  debug: false;
}

export function ormOptions(entities: Entities): OrmOptions {
  return { entities: [...entities], forceUtcTimezone: true, ensureDatabase: false, debug: false };
}
