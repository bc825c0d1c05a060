/** The input of replays. */
import { z } from "zod";
import { requiredTimestamp } from "../../kit/input/fields.ts";

export const replayFailedInput = z.object({ since: requiredTimestamp() });
