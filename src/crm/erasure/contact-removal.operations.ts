/** The operation that deletes a contact, or forgets the person. */
import { z } from "zod";
import type { Caller, LocationContext } from "../../events/caller.ts";
import { filterFlag } from "../../kit/input/fields.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { Outcome } from "../../operation/outcome.ts";
import { requireRole } from "../../operation/permission.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { findContactReference } from "../contact-activity.ts";
import * as service from "../contacts/contact.service.ts";
import { contactRecord } from "../contacts/write/contact.record.ts";
import { beginErasure } from "./begin-erasure.ts";
import { continueErasure } from "./erasure.service.ts";
import { erasureView, toErasure } from "./erasure.view.ts";

/** Pieces of one request: most people are forgotten with it; the worker does the rest. */
const mostAtOnce = 40;

export const deleteContact = operation({
  name: "deleteContact",
  summary: "Deletes a contact. It no longer appears anywhere, and its external_ref stays reserved.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "member" },
  find: { contact: lockedByChange(findContactReference) },
  query: z.object({
    forget: filterFlag().describe(
      "Removes everything that is known of the person, for good, also of a contact that was deleted or merged before. Not for apps; people need the role manager.",
    ),
  }),
  input: z.object({}),
  record: contactRecord,
  gives: erasureView.nullable(),
  steps: async (caller, { contact, query }, { network }) => {
    if (query.forget !== true) {
      await caller.change((change) => service.deleteContact(change, contact.id));
      return new Outcome(null);
    }
    requireMayForget(caller);
    const begun = await caller.change((change) => beginErasure(change, contact.id), "large");
    const erasure = await continueErasure(caller, begun, { blobs: network.blobs, most: mostAtOnce });
    return new Outcome(toErasure(erasure), { isNew: true, isPending: erasure.finished_at === null });
  },
});

/** What an app removes could not be had back by the people who installed it. */
function requireMayForget({ grant }: Caller<LocationContext>): void {
  if (grant.appId !== null)
    throw new Refusal("insufficient_scope", {
      required_scope: "contacts.write",
      message: "Apps cannot forget contacts. Delete the contact without forget, or use an API key.",
    });
  requireRole({ grant }, "manager");
}
