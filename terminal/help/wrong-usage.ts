/** Errors for invalid flags and arguments: rewrites oclif's messages in the form of all errors. */
import { stripVTControlCharacters } from "node:util";
import { suggest } from "./suggest.ts";

/** The flags and arguments of a command. */
export interface Accepted {
  /** As typed, such as `contacts import`. */
  readonly command: string;
  readonly flags: readonly string[];
  /** Arguments with their choices, if limited. */
  readonly args: Readonly<Record<string, { readonly options?: readonly string[] }>>;
}

type Sentence = (accepted: Accepted, ...parts: string[]) => string;

/** Beginning of oclif's message → ours. */
const sentences: readonly (readonly [RegExp, Sentence])[] = [
  [
    /^Nonexistent flags?: ([^\s,=]+)/,
    ({ command, flags }, flag = "") => {
      const meant = flag.startsWith("--") ? suggest(flag.slice(2), flags) : undefined;
      const hint = meant === undefined ? "" : ` Did you mean --${meant}?`;
      return `${flag} is not a flag of crm ${command}.${hint} crm ${command} --help lists all flags.`;
    },
  ],
  [
    /^Missing \d+ required args?:\n([^]*)$/,
    ({ command, args }, listed = "") => {
      const missing = Object.keys(args).filter((name) => new RegExp(`^${name}( |$)`, "m").test(listed));
      return `Missing: ${missing.map((name) => name.toUpperCase()).join(", ")}. ${seeHelp(command)}`;
    },
  ],
  [
    /^The following errors? occurred:\s+([^]*)$/,
    ({ command }, listed = "") => {
      const reasons = listed.split(/\s*\n\s*/);
      const missing = reasons.flatMap((reason) => /^Missing required flag (\S+)$/.exec(reason)?.[1] ?? []);
      if (missing.length < reasons.length) return `${reasons.join("; ")}. ${seeHelp(command)}`;
      return `Missing: ${missing.map((name) => `--${name}`).join(", ")}. ${seeHelp(command)}`;
    },
  ],
  [
    /^Expected --([^\s=]+)=([^]*) to be one of: (.*)$/,
    (_, flag, value = "", choices = "") => ofChoices(`--${flag}`, value, choices),
  ],
  [
    /^Expected ([^]*) to be one of: (.*)$/,
    ({ args }, value = "", choices = "") => {
      const [name = "the argument"] =
        Object.entries(args).find(([, { options }]) => options?.join(", ") === choices) ?? [];
      return ofChoices(name.toUpperCase(), value, choices);
    },
  ],
  [/^Flag (--\S+) expects a value$/, ({ command }, flag) => `${flag} needs a value. ${seeHelp(command)}`],
  [
    /^Flag (--\S+) expects one of these values: (.*)$/,
    (_, flag, choices) => `${flag} needs a value, one of ${choices}.`,
  ],
  [/^Flag (--\S+) can only be specified once$/, (_, flag) => `${flag} is given more than once; expected one value.`],
  [
    /^Unexpected arguments?: ([^]*)$/,
    ({ command }, extra) => `Too many arguments for crm ${command}: ${extra}. ${seeHelp(command)}`,
  ],
];

/** The sentence for what oclif's parser threw. */
export function describeWrongUsage(message: string, accepted: Accepted): string {
  const [said = ""] = stripVTControlCharacters(message).split("\nSee more help with --help");
  for (const [form, sentence] of sentences) {
    const found = form.exec(said);
    if (found !== null) return sentence(accepted, ...found.slice(1));
  }
  // The message of a flag's own parser is between two lines of oclif.
  return said.replace(/^Parsing --\S+ \n\t/, "").replaceAll(/\s*\n\s*/g, " ");
}

function ofChoices(name: string, value: string, choices: string): string {
  const meant = suggest(value, choices.split(", "));
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `${name} is ${JSON.stringify(value)}; expected one of ${choices}.${hint}`;
}

function seeHelp(command: string): string {
  return `See crm ${command} --help.`;
}
