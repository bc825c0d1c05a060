/** Bounds its memory as a service does, makes garbage of which little survives, and prints the sizes of V8's young generation in MiB. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { boundMemory } from "../../terminal/memory.ts";

function size(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return Math.round(space!.space_size / 2 ** 20);
}

boundMemory();
const sizes = [size()];
const survivors: object[] = [];
for (let turn = 0; turn < 3000; turn++) {
  for (let made = 0; made < 100; made++) {
    const object = Array.from({ length: 100 }, () => made);
    if (made % 10 === 0) survivors.push(object);
  }
  await nextTurn();
  if (size() !== sizes.at(-1)) sizes.push(size());
}
process.stdout.write(JSON.stringify(sizes));
// It is done; what was set up for a service would wait on.
process.exit();
