/** The operations of a person's sessions. */
import { z } from "zod";
import { recordId } from "../../kit/input/fields.ts";
import { ownAccount } from "../../operation/grant-limits.ts";
import { operation } from "../../operation/operation.ts";
import { factsOfPerson } from "../users/person-audit.ts";
import * as queries from "./session.queries.ts";
import * as service from "./session.service.ts";
import { sessionView } from "./session.view.ts";

const may = { scope: "none", role: "member" } as const;

export const listSessions = operation({
  name: "listSessions",
  summary: "Lists the browsers in which a person is signed in, latest sign-in first.",
  noun: "Sessions",
  within: "account",
  may,
  gives: z.array(sessionView),
  read: (reader) => queries.listSessions(reader, ownAccount(reader).id, reader.tools.clock.now()),
});

export const endSessions = operation({
  name: "endSessions",
  summary: "Signs a person out: of one session, of all others, or of all.",
  noun: "Sessions",
  within: "account",
  may,
  input: z.object({
    id: recordId().optional().describe("Only this session."),
    except: recordId().optional().describe("All but this session."),
  }),
  gives: z.object({ ended: z.int() }),
  audit: ({ ended }, _args, reader) => factsOfPerson(reader, ownAccount(reader).id, { ended }),
  change: async (change, { input: { id, except } }) => {
    const { id: userId } = ownAccount(change);
    if (id !== undefined) return { ended: await service.endSessionOf(change, userId, id) };
    return { ended: await service.endSessionsOf(change, userId, except === undefined ? {} : { except }) };
  },
});
