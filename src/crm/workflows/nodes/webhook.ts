/** webhook: posts the contact and the context to an address; nothing of it happens inside of a change (engine/posting/). */
import type { Action } from "./action.ts";

export const postsWebhook: Action<"webhook"> = async () => "apart";
