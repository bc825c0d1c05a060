/** What is told of people. */
import { defineEvent } from "../../events/define-event.ts";
import { userView } from "./user.view.ts";

export const userInvited = defineEvent("user.invited", userView, {
  id: 1,
  name: "Grace Hopper",
  email: "grace@example.com",
  role: "member",
  location_ids: [1],
});
