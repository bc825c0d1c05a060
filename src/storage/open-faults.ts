/** Explains in one sentence why a database cannot be opened, without the password of its URL. */

/** A database that cannot be used; the message is for the operator. */
export class DatabaseError extends Error {
  /** Whether a retry may succeed: no server responds, or none has a free connection. */
  readonly isUnreachable: boolean;
  constructor(message: string, { isUnreachable = false, ...options }: ErrorOptions & { isUnreachable?: boolean } = {}) {
    super(message, options);
    this.isUnreachable = isUnreachable;
  }
}

/** Translates what the driver threw when `url` was opened. */
export function toDatabaseError(error: unknown, url: string): unknown {
  if (error instanceof DatabaseError) return error;
  if (url.startsWith("sqlite:")) {
    const sentence = explainSqlite(error, url.slice("sqlite:".length));
    return sentence === undefined ? error : new DatabaseError(sentence, { cause: error });
  }
  const absence = explainAbsence(error, url);
  if (absence !== undefined) return new DatabaseError(absence, { cause: error, isUnreachable: true });
  const sentence = explainPostgres(error, url);
  return sentence === undefined ? error : new DatabaseError(sentence, { cause: error });
}

/** Refuses a database with tables of other programs. */
export function foreignDatabase(): DatabaseError {
  return new DatabaseError(
    "The database contains tables of other programs: give crm an empty database (CRM_DATABASE_URL).",
  );
}

/** Throws `error`, explained if the user of a PostgreSQL database lacks the right to change its schema. */
export function explainForbiddenChange(error: unknown): never {
  if (codeOf(error) !== "42501") throw error;
  throw new DatabaseError(
    `The user of the database may not change its schema: ${(error as Error).message}. Make the user the owner of the database and of its tables.`,
    { cause: error },
  );
}

/** For a missing file that must not be created: usually the command runs in the wrong folder. */
export function noDatabase(path: string): DatabaseError {
  return new DatabaseError(
    `There is no database at ${path}: create one with "crm setup" (or "crm serve"), or set CRM_DATA_DIR or CRM_DATABASE_URL.`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function explainSqlite(error: unknown, path: string): string | undefined {
  const code = codeOf(error);
  if (code === "SQLITE_NOTADB") return `${path} is not an SQLite database.`;
  if (code.startsWith("SQLITE_CORRUPT")) return `The SQLite database ${path} is damaged: restore it from a backup.`;
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return `The SQLite database ${path} is locked by another program.`;
  if (/^SQLITE_(FULL|IOERR)/.test(code)) return `The storage of ${path} is full or failing (${code}).`;
  const unwritable = /^(SQLITE_(CANTOPEN|READONLY)|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR|ENOENT|ENOSPC)/.test(code);
  // better-sqlite3 reports this without a code.
  const noFolder = error instanceof TypeError && error.message.includes("directory does not exist");
  return unwritable || noFolder ? `The SQLite database ${path} is not writable${code && ` (${code})`}.` : undefined;
}

function explainAbsence(error: unknown, url: string): string | undefined {
  const { host } = partsOf(url);
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : "";
  if (isOfFile(error)) return undefined;
  if (/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENOENT|EACCES)$/.test(code)) {
    return `No PostgreSQL server responds at ${host} (${code}).`;
  }
  if (/timeout|timed out|connection terminated/i.test(message))
    return `The PostgreSQL server at ${host} does not respond in time.`;
  if (code.startsWith("57P0")) return `The PostgreSQL server at ${host} is starting up or shutting down.`;
  if (code === "53300") {
    return `The PostgreSQL server at ${host} has no connections left (${code}): raise max_connections, or the connection limit of the role or the database, or run fewer crm processes.`;
  }
  return undefined;
}

/** Whether a file (certificate, key) could not be read; sockets fail with other syscalls. */
function isOfFile(error: unknown): error is Error & { path: string } {
  return error instanceof Error && "path" in error && "syscall" in error && error.syscall !== "connect";
}

function explainPostgres(error: unknown, url: string): string | undefined {
  const { host, database, user } = partsOf(url);
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : "";
  if (isOfFile(error)) return `The file ${error.path} in CRM_DATABASE_URL cannot be read (${code}).`;
  if (code.startsWith("28")) return `The PostgreSQL server at ${host} refuses the user or the password of ${user}.`;
  if (/password must be a string/.test(message))
    return `The PostgreSQL server at ${host} requires a password, and none is given.`;
  if (code === "3D000") return `The PostgreSQL server at ${host} has no database ${database}.`;
  if (code === "42501")
    return `The PostgreSQL user ${user} lacks privileges that crm needs in the database ${database}: ${message}.`;
  if (code.startsWith("53")) return `The PostgreSQL server at ${host} has run out of disk or memory (${code}).`;
  if (/SSL/.test(message) || /^(ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/.test(code)) {
    // Node appends advice about its own options.
    const reason = message.replace(/;.*|\.$/s, "");
    return `No encrypted connection to the PostgreSQL server at ${host}: ${reason}${unknownIssuer.test(code) ? trustIt : ""}.`;
  }
  return undefined;
}

/** Certificates that are valid but for their issuer, which can be trusted explicitly. */
const unknownIssuer = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;
const trustIt =
  ": name the certificate of its issuer as sslrootcert=FILE in CRM_DATABASE_URL, or trust any with sslmode=no-verify";

function partsOf(url: string): { host: string; database: string; user: string } {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const user = searchParams.get("user") || decodeURIComponent(username);
  const host = searchParams.get("host") || decodeURIComponent(hostname) || "localhost";
  return {
    host: host.startsWith("/") ? host : `${host}:${searchParams.get("port") || port || "5432"}`,
    database: decodeURIComponent(pathname.slice(1)) || user,
    user: user || "the default user",
  };
}
