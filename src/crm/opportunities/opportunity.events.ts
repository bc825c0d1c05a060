/** The events of opportunities. */
import { addedValue, defineEvent } from "../../events/define-event.ts";
import { opportunitySpecimen, opportunityView } from "./opportunity.view.ts";

export const opportunityCreated = defineEvent(
  "opportunity.created",
  opportunityView,
  opportunitySpecimen,
  ({ name, stage }) => [...(name === null ? [] : [addedValue("opportunity", name)]), addedValue("stage", stage.name)],
);

export const opportunityStageChanged = defineEvent(
  "opportunity.stage_changed",
  opportunityView,
  {
    ...opportunitySpecimen,
    stage: { id: 2, name: "Proposal", kind: "open", color: null },
    changes: [{ field: "stage_id", old: 1, new: 2 }],
  },
  "changes",
);
