/** @generated from the OpenAPI document by `npm run docs`; changes here are lost. */
import type { OperationTable } from "../operation-table.ts";

export const operations: OperationTable = {
  credentials: {
    get: { method: "GET", path: "/api/v1/me", location: "optional" },
  },
  locations: {
    list: { method: "GET", path: "/api/v1/locations", location: "optional" },
  },
  contacts: {
    list: { method: "GET", path: "/api/v1/contacts", location: "required", pages: "cursor" },
    create: { method: "POST", path: "/api/v1/contacts", body: "json", location: "required", keyed: true },
    upsert: { method: "POST", path: "/api/v1/contacts/upsert", body: "json", location: "required", keyed: true },
    bulkUpsert: { method: "POST", path: "/api/v1/contacts/bulk", body: "json", location: "required", keyed: true },
    get: { method: "GET", path: "/api/v1/contacts/{id}", location: "required" },
    update: { method: "PATCH", path: "/api/v1/contacts/{id}", body: "json", location: "required" },
    delete: { method: "DELETE", path: "/api/v1/contacts/{id}", location: "optional" },
    addTag: { method: "POST", path: "/api/v1/contacts/{id}/tags", body: "json", location: "required", keyed: true },
    removeTag: { method: "DELETE", path: "/api/v1/contacts/{id}/tags/{tagId}", location: "optional" },
  },
  notes: {
    list: { method: "GET", path: "/api/v1/contacts/{id}/notes", location: "required", pages: "cursor" },
    add: { method: "POST", path: "/api/v1/contacts/{id}/notes", body: "json", location: "required", keyed: true },
    get: { method: "GET", path: "/api/v1/contacts/{id}/notes/{noteId}", location: "required" },
    update: { method: "PATCH", path: "/api/v1/contacts/{id}/notes/{noteId}", body: "json", location: "required" },
    delete: { method: "DELETE", path: "/api/v1/contacts/{id}/notes/{noteId}", location: "optional" },
  },
  opportunities: {
    list: { method: "GET", path: "/api/v1/opportunities", location: "required", pages: "cursor" },
    create: { method: "POST", path: "/api/v1/opportunities", body: "json", location: "required", keyed: true },
    get: { method: "GET", path: "/api/v1/opportunities/{id}", location: "required" },
    update: { method: "PATCH", path: "/api/v1/opportunities/{id}", body: "json", location: "required" },
    delete: { method: "DELETE", path: "/api/v1/opportunities/{id}", location: "optional" },
  },
  pipelines: {
    list: { method: "GET", path: "/api/v1/pipelines", location: "required", pages: "cursor" },
    create: { method: "POST", path: "/api/v1/pipelines", body: "json", location: "required", keyed: true },
    update: { method: "PATCH", path: "/api/v1/pipelines/{id}", body: "json", location: "required" },
    delete: { method: "DELETE", path: "/api/v1/pipelines/{id}", location: "optional" },
  },
  tasks: {
    list: { method: "GET", path: "/api/v1/tasks", location: "required", pages: "cursor" },
    create: { method: "POST", path: "/api/v1/tasks", body: "json", location: "required", keyed: true },
    get: { method: "GET", path: "/api/v1/tasks/{id}", location: "required" },
    update: { method: "PATCH", path: "/api/v1/tasks/{id}", body: "json", location: "required" },
    delete: { method: "DELETE", path: "/api/v1/tasks/{id}", location: "optional" },
  },
  conversations: {
    list: { method: "GET", path: "/api/v1/conversations", location: "required", pages: "cursor" },
    start: { method: "POST", path: "/api/v1/conversations", body: "json", location: "required", keyed: true },
    get: { method: "GET", path: "/api/v1/conversations/{id}", location: "required" },
    update: { method: "PATCH", path: "/api/v1/conversations/{id}", body: "json", location: "required" },
    delete: { method: "DELETE", path: "/api/v1/conversations/{id}", location: "optional" },
  },
  messages: {
    list: { method: "GET", path: "/api/v1/conversations/{id}/messages", location: "required", pages: "cursor" },
    send: {
      method: "POST",
      path: "/api/v1/conversations/{id}/messages",
      body: "json",
      location: "required",
      keyed: true,
    },
    retry: {
      method: "POST",
      path: "/api/v1/conversations/{id}/messages/{messageId}/retry",
      body: "json",
      location: "required",
      keyed: true,
    },
    cancel: {
      method: "POST",
      path: "/api/v1/conversations/{id}/messages/{messageId}/cancel",
      body: "json",
      location: "required",
      keyed: true,
    },
    receive: { method: "POST", path: "/inbound/{token}", body: "json", open: true },
  },
  attachments: {
    upload: { method: "POST", path: "/api/v1/attachments", body: "file", location: "required", keyed: true },
    get: { method: "GET", path: "/api/v1/attachments/{id}", location: "required" },
  },
  workflows: {
    list: { method: "GET", path: "/api/v1/workflows", location: "required", pages: "cursor" },
    get: { method: "GET", path: "/api/v1/workflows/{id}", location: "required" },
    rotateSecret: { method: "POST", path: "/api/v1/workflows/{id}/rotate-secret", body: "json", location: "required" },
    setSecret: {
      method: "POST",
      path: "/api/v1/workflows/{id}/secrets",
      body: "json",
      location: "required",
      keyed: true,
    },
    unpublish: {
      method: "POST",
      path: "/api/v1/workflows/{id}/unpublish",
      body: "json",
      location: "required",
      keyed: true,
    },
    enroll: { method: "POST", path: "/api/v1/workflows/{id}/enroll", body: "json", location: "required", keyed: true },
  },
  workflowRuns: {
    list: { method: "GET", path: "/api/v1/workflows/{id}/runs", location: "required", pages: "cursor" },
    get: { method: "GET", path: "/api/v1/workflow-runs/{id}", location: "required" },
    remove: { method: "DELETE", path: "/api/v1/workflow-runs/{id}", location: "optional" },
    retry: {
      method: "POST",
      path: "/api/v1/workflow-runs/{id}/retry",
      body: "json",
      location: "required",
      keyed: true,
    },
  },
  channels: {
    list: { method: "GET", path: "/api/v1/channels", location: "required" },
  },
  customFields: {
    list: { method: "GET", path: "/api/v1/custom-fields", location: "optional", pages: "cursor" },
    create: { method: "POST", path: "/api/v1/custom-fields", body: "json", location: "optional", keyed: true },
    update: { method: "PATCH", path: "/api/v1/custom-fields/{id}", body: "json", location: "optional" },
    delete: { method: "DELETE", path: "/api/v1/custom-fields/{id}", location: "optional" },
  },
  tags: {
    list: { method: "GET", path: "/api/v1/tags", location: "optional", pages: "cursor" },
    create: { method: "POST", path: "/api/v1/tags", body: "json", location: "optional", keyed: true },
    update: { method: "PATCH", path: "/api/v1/tags/{id}", body: "json", location: "optional" },
    delete: { method: "DELETE", path: "/api/v1/tags/{id}", location: "optional" },
  },
  users: {
    list: { method: "GET", path: "/api/v1/users", location: "optional", pages: "cursor" },
  },
  events: {
    readLog: { method: "GET", path: "/api/v1/events", location: "optional", pages: "position" },
    report: { method: "POST", path: "/api/v1/events", body: "json", location: "required", keyed: true },
    getSample: { method: "GET", path: "/api/v1/hooks/samples", location: "optional" },
  },
  hooks: {
    list: { method: "GET", path: "/api/v1/hooks", location: "optional", pages: "cursor" },
    register: { method: "POST", path: "/api/v1/hooks", body: "json", location: "optional" },
    get: { method: "GET", path: "/api/v1/hooks/{id}", location: "optional" },
    update: { method: "PATCH", path: "/api/v1/hooks/{id}", body: "json", location: "optional" },
    remove: { method: "DELETE", path: "/api/v1/hooks/{id}", location: "optional" },
    rotateSecret: { method: "POST", path: "/api/v1/hooks/{id}/rotate-secret", body: "json", location: "optional" },
    sendTest: { method: "POST", path: "/api/v1/hooks/{id}/test", body: "json", location: "optional", keyed: true },
  },
  deliveries: {
    list: { method: "GET", path: "/api/v1/hooks/{id}/deliveries", location: "optional", pages: "cursor" },
    get: { method: "GET", path: "/api/v1/hooks/deliveries/{id}", location: "optional" },
    replay: {
      method: "POST",
      path: "/api/v1/hooks/deliveries/{id}/replay",
      body: "json",
      location: "optional",
      keyed: true,
    },
  },
  oauth: {
    issueTokens: { method: "POST", path: "/api/oauth/token", body: "form", open: true },
    revokeToken: { method: "POST", path: "/api/oauth/revoke", body: "form", open: true },
  },
  billing: {
    reportPayment: { method: "POST", path: "/api/oauth/billing/webhook", body: "json", open: true },
  },
  inboundMessages: {
    reportReceipt: { method: "POST", path: "/receipts/{token}", body: "json", open: true },
  },
};
