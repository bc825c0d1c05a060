/** The clients of the soak: some use the service, some abuse it, until they are told to stop; and what they were answered. */
import { setTimeout as sleep } from "node:timers/promises";
import { Pipeline } from "../faults/pipeline.ts";
import { hostile, usual } from "./soak-requests.ts";
import type { Habit, Setting } from "./soak-requests.ts";

const clients = 12;

export interface Soaking {
  /** Answers so far. */
  readonly answered: number;
  /** Unexpected responses and their counts, by habit and status. */
  readonly wrong: ReadonlyMap<string, number>;
  /** Resolves when every client has stopped. */
  stop(): Promise<void>;
}

/** As many clients of either kind. `port`: where the service listens. */
export function startClients(port: number, setting: Setting): Soaking {
  const seen = { answered: 0, wrong: new Map<string, number>() };
  let stopped = false;

  async function go(habits: readonly Habit[], keepsConnection: boolean): Promise<void> {
    let line: Pipeline | undefined;
    while (!stopped) {
      const habit = habits[Math.floor(setting.chance() * habits.length)]!;
      const { text, answers } = habit.send(setting);
      line ??= await Pipeline.open(`http://127.0.0.1:${port}`);
      await line.send(text);
      const came = await line.read(answers);
      seen.answered += came.length;
      const statuses =
        came.length < answers ? [...came.map(({ status }) => status), 0] : came.map(({ status }) => status);
      for (const status of statuses) {
        if (habit.statuses.includes(status)) continue;
        const told = `${habit.name}: ${status === 0 ? "no answer" : status}`;
        seen.wrong.set(told, (seen.wrong.get(told) ?? 0) + 1);
      }
      if (answers === 0) await sleep(setting.chance() * 300);
      if (keepsConnection && !line.isClosed && came.length === answers) continue;
      line.destroy();
      line = undefined;
    }
    line?.destroy();
  }

  const going = Promise.all(Array.from({ length: clients }, () => [go(usual, true), go(hostile, false)]).flat());
  // `stop` reports the error.
  going.catch(() => (stopped = true));
  return {
    get answered() {
      return seen.answered;
    },
    wrong: seen.wrong,
    async stop() {
      stopped = true;
      await going;
    },
  };
}
