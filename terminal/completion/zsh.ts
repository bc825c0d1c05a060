/**
 * The zsh completion script of `crm`, with a description of each choice. It is self-contained, so TAB starts no
 * process.
 */
import type { Step, Value, Word } from "./steps.ts";

export function zshScript(steps: readonly Step[]): string {
  const paths = steps.map(({ path }) => path).filter((path) => path !== "");
  return `#compdef crm
# Completion of crm for zsh.
# In this shell: eval "$(crm completion zsh)"
# In every one:  crm completion zsh > a folder of $fpath, as _crm

_crm() {
  local line="" previous="\${words[CURRENT - 1]}" i
  local -a choices flags
  for ((i = 2; i < CURRENT; i++)); do
    if [[ $i == 2 && "\${words[i]}" == help ]]; then continue; fi
    case "\${line:+$line }\${words[i]}" in
      ${paths.map(quoted).join("|")}) line="\${line:+$line }\${words[i]}" ;;
      *) break ;;
    esac
  done
  # --role=owner is one word here.
  if [[ "$PREFIX" == --*=* ]]; then
    previous="\${PREFIX%%=*}"
    compset -P '*='
  fi
  case "$line $previous" in
${flagCases(steps).join("\n")}
  esac
  case "$line" in
${steps.map(stepCase).join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o 'flag' flags
  elif ((\${#choices})); then
    _describe 'command' choices
  fi
}

if [[ "\${funcstack[1]}" == _crm ]]; then
  _crm "$@"
else
  compdef _crm crm
fi
`;
}

function flagCases(steps: readonly Step[]): string[] {
  const actions = new Map<string, string[]>();
  for (const { path, flags } of steps) {
    for (const { name, value } of flags) {
      if (value === undefined) continue;
      const action = actionOf(value);
      actions.set(action, [...(actions.get(action) ?? []), quoted(`${path} ${name}`)]);
    }
  }
  return [...actions].map(([action, patterns]) => `    ${patterns.join("|")}) ${action}; return ;;`);
}

function stepCase({ path, next, flags, argument }: Step): string {
  const other =
    argument === undefined
      ? `choices=(${described(next.length > 0 ? next : flags)})`
      : `[[ "$PREFIX" == -* ]] || { ${actionOf(argument)}; return; }`;
  return `    ${quoted(path)})\n      flags=(${described(flags)})\n      ${other}\n      ;;`;
}

function actionOf(value: Value): string {
  if (value === "file") return "_files";
  return value === "unknown" ? "_message 'a value'" : `compadd -- ${value.join(" ")}`;
}

/** zsh reads the text after the first colon as the description. */
function described(words: readonly Word[]): string {
  return words.map(({ name, description }) => `'${name}:${description.replaceAll("'", String.raw`'\''`)}'`).join(" ");
}

function quoted(text: string): string {
  return `"${text}"`;
}
