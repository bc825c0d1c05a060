/** Column types that SQLite and PostgreSQL spell differently but that mean the same. */
import { Type } from "@mikro-orm/core";
import type { Platform } from "@mikro-orm/core";
import { SqlitePlatform } from "@mikro-orm/sql";

/**
 * An integer up to 2^53: `integer` on SQLite, where a primary key of that type is the row ID, and `bigint` on
 * PostgreSQL. MikroORM's own bigint would rebuild every SQLite table at each migration.
 */
export class Integer extends Type<number, number> {
  override getColumnType(property: { autoincrement?: boolean }, platform: Platform): string {
    return platform instanceof SqlitePlatform
      ? platform.getIntegerTypeDeclarationSQL(property as { length?: number })
      : platform.getBigIntTypeDeclarationSQL(property as { length?: number });
  }
  override compareAsType(): string {
    return "number";
  }
  override convertToJSValue(value: number | string | null): number {
    // MikroORM calls this for null in nullable columns as well.
    return (value === null ? null : Number(value)) as number;
  }
}
