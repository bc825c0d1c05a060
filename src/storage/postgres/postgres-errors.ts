/** Takes out of PostgreSQL's errors what they repeat of the rows: names and addresses of people must not reach a log. */
import pg from "pg";

/** "Failing row contains (…)", "Key (email_key)=(…)", and parameters: the code, the table and the constraint say enough. */
const repeating = ["detail", "where", "internalQuery"] as const satisfies (keyof pg.DatabaseError)[];

/** Class 22, a value that is none of its type, is the one that repeats it in the message, in quotes. */
const ofValue = /^22/;

/** Makes every error of `client` forget the values before anybody sees it: the driver, MikroORM or a log. */
export function forgetValues(client: pg.Client): void {
  client.connection.on("errorMessage", (error: pg.DatabaseError) => {
    for (const part of repeating) error[part] = undefined;
    if (!ofValue.test(error.code ?? "")) return;
    const told = error.message;
    error.message = told.replace(/"[^]*"/, '"…"');
    error.stack = error.stack?.replace(told, () => error.message);
  });
}

/** Whether a prepared statement is no longer good: its table changed under it, or somebody between here and the server let go of it. */
export function isOutdated(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === "26000" || (error.code === "0A000" && error.routine === "RevalidateCachedQuery");
}
