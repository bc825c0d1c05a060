/** Reads parameters by RFC 6749, 3.1 and 3.2: each at most once, empty means absent, unknown ones are ignored. */

/** The value of a parameter; undefined when it is absent or empty. */
export function valueOf(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.get(name) || undefined;
}

export function isDoubled(parameters: URLSearchParams, name: string): boolean {
  return parameters.getAll(name).length > 1;
}
