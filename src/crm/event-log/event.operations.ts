/** The operations of events (extension): the event log, reports by external tools, and samples. */
import { operation } from "../../operation/operation.ts";
import { JsonText } from "../../kit/json-text.ts";
import { eventLogQuery, latestEventsQuery, reportEventInput, sampleQuery } from "./event.schema.ts";
import * as queries from "./event.queries.ts";
import { getSampleOf } from "./event.samples.ts";
import * as service from "./event.service.ts";
import { eventLogView, logPositionView, reportedEventView, sampleView, toEventLog } from "./event.view.ts";

export const readEventLog = operation({
  name: "readEventLog",
  summary: "Reads the event log after a position.",
  noun: "Events",
  within: "workspace",
  may: { scope: "events.readonly", role: "manager" },
  query: eventLogQuery,
  gives: eventLogView,
  read: async (reader, { query }) => new JsonText(toEventLog(await queries.readEventLog(reader, query))),
});

export const positionBefore = operation({
  name: "positionBefore",
  summary: "Returns the position before the latest events of the log.",
  noun: "Events",
  within: "workspace",
  may: { scope: "events.readonly", role: "manager" },
  query: latestEventsQuery,
  gives: logPositionView,
  read: async (reader, { query }) => ({ position: await queries.positionBefore(reader, query) }),
});

export const reportEvent = operation({
  name: "reportEvent",
  summary: "Reports an event that happened in an external tool.",
  noun: "Events",
  may: { scope: "events.write", role: "manager" },
  input: reportEventInput,
  gives: reportedEventView,
  change: async (change, { input }) => await service.reportEvent(change, input),
});

export const getSampleEvent = operation({
  name: "getSampleEvent",
  summary: "Returns a sample of what a webhook receives for an event.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  query: sampleQuery,
  gives: sampleView,
  read: async (reader, { query }) => await getSampleOf(reader, query.event),
});
