/** The bash completion script of `crm`. It is self-contained, so TAB starts no process. */
import type { Step, Value } from "./steps.ts";

/** Works with bash 3.2, the version of macOS. */
export function bashScript(steps: readonly Step[]): string {
  const paths = steps.map(({ path }) => path).filter((path) => path !== "");
  return `# Completion of crm for bash.
# In this shell: eval "$(crm completion bash)"
# In every one:  crm completion bash > ~/.local/share/bash-completion/completions/crm

_crm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" path="" words="" word i
  # bash takes --role=owner apart at the equals sign.
  if [[ "$current" == "=" ]]; then
    current=""
  elif [[ "$previous" == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ "$i" == 1 && "$word" == help ]]; then continue; fi
    case "\${path:+$path }$word" in
      ${paths.map(quoted).join(" | ")}) path="\${path:+$path }$word" ;;
      *) break ;;
    esac
  done
  compopt +o default 2> /dev/null
  case "$path $previous" in
${flagCases(steps).join("\n")}
    *)
      case "$path" in
${steps.flatMap(stepCases).join("\n")}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -o default -F _crm crm
`;
}

/** Completions of flag values; flags with the same completions share a case. */
function flagCases(steps: readonly Step[]): string[] {
  const actions = new Map<string, string[]>();
  for (const { path, flags } of steps) {
    for (const { name, value } of flags) {
      if (value === undefined) continue;
      const action = actionOf(value);
      actions.set(action, [...(actions.get(action) ?? []), quoted(`${path} ${name}`)]);
    }
  }
  return [...actions].map(([action, patterns]) => `    ${patterns.join(" | ")}) ${action} ;;`);
}

function stepCases({ path, next, flags, argument }: Step): string[] {
  const dashed = flags.map(({ name }) => name).join(" ");
  const plain = next.map(({ name }) => name).join(" ");
  const other = argument === undefined ? `words=${quoted(plain === "" ? dashed : plain)}` : actionOf(argument);
  return [`        ${quoted(path)}) if [[ "$current" == -* ]]; then words=${quoted(dashed)}; else ${other}; fi ;;`];
}

function actionOf(value: Value): string {
  if (value === "file") return "compopt -o default 2> /dev/null";
  return value === "unknown" ? ":" : `words=${quoted(value.join(" "))}`;
}

function quoted(text: string): string {
  return `"${text}"`;
}
