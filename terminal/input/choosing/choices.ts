/** The choices in an error message: the first few, and how many more there are. */

const listed = 20;

export function listChoices(choices: readonly string[]): string {
  const more = choices.length > listed ? ` and ${choices.length - listed} more` : "";
  return `${choices.slice(0, listed).join(", ")}${more}`;
}
