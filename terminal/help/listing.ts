/** Names and descriptions, side by side if there is room, else one below the other. */
import { columnsOf, wrap } from "../output/columns.ts";

/** Minimum width of a description beside its name; with less it goes below. */
const leastColumns = 28;

export function listing(rows: readonly (readonly (string | undefined)[])[], columns: number): string {
  const names = Math.max(...rows.map(([name = ""]) => columnsOf(name)));
  const besideColumns = columns - names - 2;
  if (besideColumns < leastColumns) {
    return rows.map(([name = "", text = ""]) => `${name}${below(wrap(text.trim(), columns - 4), 4)}`).join("\n\n");
  }
  return rows
    .map(([name = "", text = ""]) => {
      const [first = "", ...others] = wrap(text.trim(), besideColumns).split("\n");
      const beside = `${name}${" ".repeat(names - columnsOf(name) + 2)}${first}`.trimEnd();
      return `${beside}${below(others.join("\n"), names + 2)}`;
    })
    .join("\n");
}

function below(lines: string, spaces: number): string {
  return lines === "" ? "" : `\n${lines}`.replaceAll(/\n(?!$)/g, `\n${" ".repeat(spaces)}`);
}
