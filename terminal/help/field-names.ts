/** Renames API fields in error messages to the flags and arguments of the command. */
import type { FieldErrors } from "../../src/vocabulary/errors.ts";

/** The flags and arguments of a command, and their values. */
export interface CommandLine {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
  /** Field → flag or argument, where the names differ. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Values of flags and arguments, by name. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/**
 * All sentences: `The redirect uris.1 field must …` becomes `--redirect-uri "http://x" must …`. Sentences without a
 * field are unchanged.
 */
export function tellByFlags(errors: FieldErrors, line: CommandLine): string {
  return Object.entries(errors)
    .flatMap(([field, sentences]) => {
      const name = nameOf(field, line);
      return name === undefined ? sentences : sentences.map((sentence) => renamed(sentence, field, name));
    })
    .join(" ");
}

function renamed(sentence: string, field: string, name: string): string {
  const subject = `The ${field.replaceAll("_", " ")} `;
  if (!sentence.startsWith(subject)) return sentence;
  const predicate = sentence.slice(subject.length);
  if (predicate.startsWith("field ")) return `${name} ${predicate.slice("field ".length)}`;
  return predicate === "has already been taken." ? `${name} ${predicate}` : sentence;
}

/** `redirect_uris.1` is the second --redirect-uri, `contact_id` --contact, and `name` NAME where the command takes it as an argument. */
function nameOf(field: string, { flags, args, fields = {}, given = {} }: CommandLine): string | undefined {
  const [, whole = "", place] = /^(.*?)(?:\.(\d+))?$/.exec(field) ?? [];
  const known = findFlag(whole, { flags, args, fields });
  if (known === undefined) return undefined;
  const name = Object.hasOwn(flags, known) ? `--${known}` : known.toUpperCase();
  const values = given[known];
  const isOneOfSeveral = place !== undefined && Array.isArray(values) && values.length > 1;
  return isOneOfSeveral ? `${name} ${JSON.stringify(values[Number(place)])}` : name;
}

/** The flag or argument that a field is given by; undefined if there is none. */
export function findFlag(field: string, { flags, args, fields = {} }: CommandLine): string | undefined {
  const kebab = field.replaceAll("_", "-");
  return [
    fields[field] ?? kebab,
    kebab.replace(/s$/, ""),
    kebab.replace(/-(ids?|at|cents)$/, ""),
    `${kebab}-stdin`,
  ].find((name) => Object.hasOwn(flags, name) || Object.hasOwn(args, name));
}
