/** `crm completion`: prints the completion script of a shell. */
import { Args } from "@oclif/core";
import { CrmCommand } from "../terminal/command.ts";

const shells = ["bash", "zsh"] as const;

export default class Completion extends CrmCommand {
  static override description = `Prints a completion script for bash or zsh: commands, flags, their values, and files.

eval "$(crm completion bash)" enables it in this shell. For every shell, write it to ~/.local/share/bash-completion/completions/crm, or for zsh to _crm in a folder
of $fpath. Print it again after an upgrade. In a clone, run alias crm="node $PWD/bin/crm.js" first.`;
  static override jsonResult = "{shell, script}";
  static override examples = [
    'eval "$(<%= config.bin %> completion bash)"',
    "<%= config.bin %> completion bash > ~/.local/share/bash-completion/completions/crm",
    '<%= config.bin %> completion zsh > "${fpath[1]}/_crm"',
  ];
  static override args = {
    shell: Args.string({ description: "The shell.", options: [...shells], required: true }),
  };

  async run(): Promise<{ shell: string; script: string }> {
    const { args } = await this.parse(Completion);
    const [{ stepsOf }, { bashScript }, { zshScript }] = await Promise.all([
      import("../terminal/completion/steps.ts"),
      import("../terminal/completion/bash.ts"),
      import("../terminal/completion/zsh.ts"),
    ]);
    const script = (args.shell === "bash" ? bashScript : zshScript)(stepsOf(this.config));
    if (!this.jsonEnabled()) process.stdout.write(script);
    return { shell: args.shell, script };
  }
}
