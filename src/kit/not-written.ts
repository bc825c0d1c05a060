/** Says why a new file that a person named could not be written. */
export function notWritten(path: string, error: unknown): Error {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const sentence =
    code === "EEXIST" ? `${path} exists already: choose another name.` : `${path} cannot be written (${code}).`;
  // Without the error as its cause, which would read as a fault of the database.
  return new Error(sentence);
}
