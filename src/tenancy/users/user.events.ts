/** The events of people. */
import { defineEvent } from "../../events/define-event.ts";
import { userSpecimen, userView } from "./user.view.ts";

export const userInvited = defineEvent("user.invited", userView, userSpecimen, "nothing");
