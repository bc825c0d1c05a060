/** The table of stored responses by Idempotency-Key. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";

export const IdempotencyKey = defineEntity({
  name: "IdempotencyKey",
  tableName: "idempotency_keys",
  uniques: [{ name: "idempotency_keys_once", properties: ["holder", "operation", "key"] }],
  indexes: [{ name: "idempotency_keys_age", properties: ["createdAt"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The holder of the key: an API key, or an app at a location. */
    holder: p.text(),
    /** Method and path. */
    operation: p.text(),
    key: p.text(),
    /** SHA-256 of the body: the same key with another body is an error of the client. */
    bodyHash: p.text(),
    status: p.type(Integer).nullable(),
    /** Packed by kept-body.ts. */
    body: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});
