/** The tool `timeline`: what happened with a contact, newest first, a sentence each. */
import { describeActivity } from "../../crm/contacts/neighbours/activity-text.ts";
import { getContact } from "../../crm/contacts/contact.operations.ts";
import { carryOut } from "../../operation/carry-out.ts";
import { callerInLocation } from "../agent-session.ts";
import type { AgentTool } from "../agent-tool.ts";
import { idSchema, limitSchema } from "../argument-schemas.ts";
import { readLimit } from "../tool-arguments.ts";
import { compositeTool } from "./composite-tool.ts";

export const timelineTool: AgentTool = compositeTool({
  name: "timeline",
  description: "Tells what happened with a contact, newest first, in sentences: of its newest hundred activities.",
  may: getContact.may,
  properties: { id: idSchema("contact"), limit: limitSchema },
  required: ["id"],
  async call(session, { id, location_id: locationId, limit }) {
    const most = readLimit(limit);
    const caller = await callerInLocation(session, locationId ?? undefined);
    const contact = await carryOut(getContact, caller, { contact: id as number }, session.deps);
    const lines = contact.activities.slice(0, most);
    return {
      id: contact.id,
      name: contact.name,
      data: lines.map((activity) => `${activity.created_at} ${describeActivity(activity)}`),
      more: contact.activities.length > most,
    };
  },
});
