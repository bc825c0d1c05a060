/** An app for Zapier: an API key that GET /me tests, a trigger that registers a webhook, and an action that upserts a contact. */
// @ts-nocheck -- the types are those of zapier-platform-core, which only this app installs
import { readFileSync } from "node:fs";

const { version, dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** For requests that are described, and for those that are made. */
const to = (path, baseUrl = "{{bundle.authData.baseUrl}}") => `${baseUrl}/api/v1${path}`;

const authentication = {
  type: "custom",
  fields: [
    {
      key: "baseUrl",
      label: "Address",
      required: true,
      helpText: "Such as https://crm.example.com, without a slash at the end.",
    },
    { key: "apiKey", label: "API key", type: "password", required: true },
  ],
  // Its answer names the workspace and the locations of the key.
  test: { url: to("/me") },
  connectionLabel: "{{workspace__name}}",
};

function addKey(request, _z, { authData }) {
  request.headers["Authorization"] = `Bearer ${authData.apiKey}`;
  return request;
}

const newContact = {
  key: "new_contact",
  noun: "Contact",
  display: { label: "New Contact", description: "Triggers when a contact is created." },
  operation: {
    type: "hook",
    performSubscribe: {
      url: to("/hooks"),
      method: "POST",
      body: { event: "contact.created", target_url: "{{bundle.targetUrl}}" },
    },
    // A described request would ask for JSON, and this answer has no body.
    performUnsubscribe: async (z, { authData, subscribeData }) => {
      await z.request({ url: to(`/hooks/${subscribeData.id}`, authData.baseUrl), method: "DELETE" });
      return {};
    },
    // Its id is the same in every attempt: Zapier drops what it has seen.
    perform: (_z, { cleanedRequest }) => [cleanedRequest],
    performList: async (z, { authData }) => {
      const { data } = await z.request({
        url: to("/hooks/samples", authData.baseUrl),
        params: { event: "contact.created" },
      });
      return [data];
    },
    sample: { id: 1, event: "contact.created", data: { id: 7, name: "Ada Lovelace", email: "ada@example.com" } },
  },
};

const upsertContact = {
  key: "upsert_contact",
  noun: "Contact",
  display: {
    label: "Create or Update Contact",
    description: "Creates a contact, or updates the one with that address.",
  },
  operation: {
    inputFields: [
      { key: "location_id", label: "Location", type: "integer", required: true, dynamic: "locations.id.name" },
      { key: "email", label: "E-mail", required: true },
      { key: "first_name", label: "First name" },
      { key: "last_name", label: "Last name" },
      { key: "phone", label: "Phone" },
    ],
    perform: async (z, { authData, inputData }) => {
      const { data } = await z.request({
        url: to("/contacts/upsert", authData.baseUrl),
        method: "POST",
        body: inputData,
      });
      return data.contact;
    },
    sample: { id: 7, name: "Ada Lovelace", email: "ada@example.com" },
  },
};

/** For the choice of a location; not shown as a trigger. */
const locations = {
  key: "locations",
  noun: "Location",
  display: { label: "Locations", description: "Lists locations.", hidden: true },
  operation: {
    perform: async (z, { authData }) => (await z.request({ url: to("/locations", authData.baseUrl) })).data.data,
    sample: { id: 1, name: "Main Street" },
  },
};

// oxlint-disable-next-line import/no-default-export -- Zapier asks for it
export default {
  version,
  platformVersion: dependencies["zapier-platform-core"],
  authentication,
  beforeRequest: [addKey],
  triggers: { [newContact.key]: newContact, [locations.key]: locations },
  creates: { [upsertContact.key]: upsertContact },
};
