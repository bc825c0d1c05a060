/** A schema that does not fit this version of crm, or cannot be migrated now; the message says what to do. */
export class SchemaError extends Error {}
