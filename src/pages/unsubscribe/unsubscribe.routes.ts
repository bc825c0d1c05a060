/** One-click unsubscribe (RFC 8058): a GET asks, a POST unsubscribes. The token is the credential; there is no session, no cookie and no CSRF token. */
import { findMailRecipient, unsubscribe } from "../../crm/contacts/unsubscribe.service.ts";
import type { CallAs } from "../../events/call-as.ts";
import type { Tools } from "../../events/caller.ts";
import type { Failure } from "../../http/failures.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import { route } from "../../http/route.ts";
import type { Route } from "../../http/route.ts";
import type { Database } from "../../storage/database.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { failurePage } from "../account/failure.page.ts";
import { pageAnswer } from "../page-answer.ts";
import type { Site } from "../site.ts";
import { unsubscribedPage, unsubscribePage } from "./unsubscribe.page.ts";

interface UnsubscribeDeps extends Pick<Tools, "signedIds"> {
  readonly database: Database;
  readonly callAs: CallAs;
  readonly site: Site;
}

/** The form is one pair; mail providers send it urlencoded or as multipart. */
const formLimit = 16 << 10;

export function unsubscribeRoutes({ database, callAs, signedIds, site }: UnsubscribeDeps): Route[] {
  const failed = (failure: Failure) => pageAnswer(failure.status, failurePage(site, failure));
  const tokenOf = (request: IncomingRequest) => request.parameters["token"] ?? "";
  const find = async (request: IncomingRequest) => {
    const found = await findMailRecipient(database, { signedIds }, tokenOf(request));
    if (found === undefined) throw new Refusal("route.not_found");
    return found;
  };
  const path = "/unsubscribe/{token}";

  return [
    route({
      method: "GET",
      path,
      summary: "Asks the recipient of a mail whether to unsubscribe.",
      failed,
      async serve(request) {
        const action = site.path(`/unsubscribe/${tokenOf(request)}`);
        return pageAnswer(200, unsubscribePage(site, await find(request), action), { showsSecret: true });
      },
    }),
    route({
      method: "POST",
      path,
      summary: "Unsubscribes the recipient of a mail.",
      body: "raw",
      limit: formLimit,
      failed,
      async serve(request) {
        const recipient = await find(request);
        await unsubscribe(callAs, recipient);
        return pageAnswer(200, unsubscribedPage(site, recipient));
      },
    }),
  ];
}
