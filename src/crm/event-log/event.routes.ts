/** The endpoints of events (extension): the log, what tools outside report, and an example of each event. */
import { endpoint, reply } from "../../http/endpoint.ts";
import { JsonText } from "../../kit/json-text.ts";
import { eventLogQuery, reportEventInput, sampleQuery } from "./event.schema.ts";
import { readEventLog } from "./event.queries.ts";
import { getSample } from "./event.samples.ts";
import { reportEvent } from "./event.service.ts";
import { eventLogView, reportedEventView, sampleView, toEventLog } from "./event.view.ts";

export const eventRoutes = [
  endpoint({
    method: "GET",
    path: "/events",
    operationId: "readEventLog",
    summary: "Reads the event log on from a position.",
    tag: "Events",
    within: "workspace",
    scope: "events.readonly",
    query: eventLogQuery,
    replies: { 200: eventLogView },
    read: async (reader, { query }) => reply(200, new JsonText(toEventLog(await readEventLog(reader, query)))),
  }),
  endpoint({
    method: "POST",
    path: "/events",
    operationId: "reportEvent",
    summary: "Takes in an event that happened in a tool outside of the service.",
    tag: "Events",
    scope: "events.write",
    input: reportEventInput,
    replies: { 201: reportedEventView },
    change: async (change, { input }) => reply(201, await reportEvent(change, input)),
  }),
  endpoint({
    method: "GET",
    path: "/hooks/samples",
    operationId: "getSampleEvent",
    summary: "Shows an example of what a webhook receives for an event.",
    tag: "Webhooks",
    within: "workspace",
    scope: "webhooks.readonly",
    query: sampleQuery,
    replies: { 200: sampleView },
    read: async (_reader, { query }) => reply(200, getSample(query.event)),
  }),
];
