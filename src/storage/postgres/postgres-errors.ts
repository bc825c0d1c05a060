/** Removes row values from PostgreSQL errors: personal data must not reach a log. */
import pg from "pg";

/** "Failing row contains (…)", "Key (email_key)=(…)", and parameters: code, table and constraint suffice. */
const repeating = ["detail", "where", "internalQuery"] as const satisfies (keyof pg.DatabaseError)[];

/** Class 22, an invalid value, quotes it in the message. */
const ofValue = /^22/;

/** Redacts every error of `client` before the driver, MikroORM or a log sees it. */
export function forgetValues(client: pg.Client): void {
  client.connection.on("errorMessage", (error: pg.DatabaseError) => {
    for (const part of repeating) error[part] = undefined;
    if (!ofValue.test(error.code ?? "")) return;
    const original = error.message;
    error.message = original.replace(/"[^]*"/, '"…"');
    error.stack = error.stack?.replace(original, () => error.message);
  });
}

/** The server closes the connection after it: it was terminated, timed out between statements, or the server stops. */
const fatal = /^(57P|08|25P0[34])/;

export function isFatal({ code = "" }: pg.DatabaseError): boolean {
  return fatal.test(code);
}

/** Whether a prepared statement is invalid: its table has changed, or a pooler has dropped it. */
export function isOutdated(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === "26000" || (error.code === "0A000" && error.routine === "RevalidateCachedQuery");
}
