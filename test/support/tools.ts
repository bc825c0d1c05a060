/** What work needs beside rows, with keys of a test's own. */
import type { Tools } from "../../src/events/caller.ts";
import type { Clock } from "../../src/kit/time/clock.ts";
import { createCursors } from "../../src/kit/cursor.ts";
import { createLinks } from "../../src/kit/links.ts";
import { createMasterKeys, mintMasterKey } from "../../src/kit/secrets/master-keys.ts";

export function toolsOf(clock: Clock): Tools {
  const vault = createMasterKeys([mintMasterKey()]);
  return {
    clock,
    vault,
    cursors: createCursors(vault.deriveAll("cursors")),
    links: createLinks("http://localhost"),
  };
}
