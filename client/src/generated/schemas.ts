/** @generated from the OpenAPI document by `npm run docs`; changes here are lost. */
export interface components {
  schemas: {
    /** @description The API key or the app that sends the request, with its access. */
    Credential: {
      /** @enum {string} */
      type: "api_key" | "app";
      id: number;
      name: string;
      workspace: {
        id: number;
        name: string;
      };
      /** @description Those it has access to, oldest first. */
      locations: {
        id: number;
        name: string;
      }[];
      scopes: (
        | "locations.readonly"
        | "contacts.readonly"
        | "contacts.write"
        | "opportunities.readonly"
        | "opportunities.write"
        | "conversations.readonly"
        | "conversations.write"
        | "tasks.readonly"
        | "tasks.write"
        | "channels.readonly"
        | "workflows.readonly"
        | "workflows.write"
        | "webhooks.readonly"
        | "webhooks.write"
        | "events.readonly"
        | "events.write"
        | "tags.readonly"
        | "tags.write"
        | "custom_fields.readonly"
        | "custom_fields.write"
        | "users.readonly"
        | "locations.write"
        | "channels.write"
        | "users.write"
        | "workflow_definitions.write"
        | "audit.readonly"
      )[];
      /** @description The person who installed the app; null for an API key. */
      user: {
        id: number;
        name: string;
      } | null;
      /** @description null for an API key. */
      app: {
        client_id: string;
        name: string;
      } | null;
      /** @description null if the service has no rate limit. */
      rate_limit: {
        limit: number;
        window_seconds: number;
      } | null;
    };
    /** @description Every location that the credential has access to. */
    LocationList: {
      data: components["schemas"]["Location"][];
    };
    /** @description A location of the workspace. */
    Location: {
      id: number;
      name: string;
      address1: string;
      city: string;
      state: string;
      zip: string;
      phone_public: string;
      timezone: string;
      website: string;
    };
    CreateLocationInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name: string;
      address1?: string | null;
      city?: string | null;
      state?: string | null;
      zip?: string | null;
      phone_public?: string | null;
      timezone?: string | null;
      website?: string | null;
      country?: string | null;
    };
    UpdateLocationInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name?: string;
      address1?: string;
      city?: string;
      state?: string;
      zip?: string;
      phone_public?: string;
      timezone?: string;
      website?: string;
      country?: string;
    };
    /** @description A page of contacts, newest activity first. */
    ContactList: {
      data: components["schemas"]["ContactSummary"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
      /** @description Informational: exact without filters, and up to 10,000 with them. */
      total: number;
    };
    ContactSummary: {
      id: number;
      /** @description First and last name, or else the e-mail address, or else the phone number. */
      name: string;
      first_name: string;
      last_name: string;
      email: string | null;
      phone_display: string | null;
      interest: string | null;
      source: string | null;
      owner: components["schemas"]["Person"] | null;
      tags: components["schemas"]["Tag"][];
      /** @description The stage of the newest open opportunity, or else of the newest closed one. Needs opportunities.readonly; null without it. */
      stage: components["schemas"]["Stage"] | null;
      /** @description The value of the same opportunity; 0 if there is none. Needs opportunities.readonly; 0 without it. */
      value_cents: number;
      /** Format: date-time */
      last_activity_at: string | null;
      /** @description The open task that is due first. Needs tasks.readonly; null without it. */
      next_task: components["schemas"]["NextTask"] | null;
      /** @description Do not disturb: automated messages are not sent. */
      dnd: boolean;
    };
    Person: {
      id: number;
      name: string;
    };
    /** @description A tag of the workspace. */
    Tag: {
      id: number;
      name: string;
      color: string | null;
    };
    Stage: {
      id: number;
      name: string;
      /** @enum {string} */
      kind: "open" | "won" | "lost";
      color: string | null;
    };
    NextTask: {
      id: number;
      title: string;
      /** Format: date-time */
      due_at: string | null;
      /** @description Whether the task is open and past its due date. */
      overdue: boolean;
    };
    CreateContactInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      first_name: string;
      last_name: string;
      email?: string | null;
      phone?: string | null;
      company?: string | null;
      source?: string | null;
      interest?: string | null;
      address1?: string | null;
      city?: string | null;
      state?: string | null;
      zip?: string | null;
      timezone?: string | null;
      dnd?: boolean | null;
      owner_user_id?: number | null;
      external_ref?: string | null;
      /** @description Values by key. Only the given keys change; null clears. */
      custom_fields?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description A contact with its opportunities, tasks, notes, conversations and activities. */
    Contact: {
      id: number;
      /** @description First and last name, or else the e-mail address, or else the phone number. */
      name: string;
      first_name: string;
      last_name: string;
      email: string | null;
      phone_display: string | null;
      interest: string | null;
      source: string | null;
      owner: components["schemas"]["Person"] | null;
      tags: components["schemas"]["Tag"][];
      /** @description The stage of the newest open opportunity, or else of the newest closed one. Needs opportunities.readonly; null without it. */
      stage: components["schemas"]["Stage"] | null;
      /** @description The value of the same opportunity; 0 if there is none. Needs opportunities.readonly; 0 without it. */
      value_cents: number;
      /** Format: date-time */
      last_activity_at: string | null;
      /** @description The open task that is due first. Needs tasks.readonly; null without it. */
      next_task: components["schemas"]["NextTask"] | null;
      /** @description Do not disturb: automated messages are not sent. */
      dnd: boolean;
      company: string | null;
      address1: string | null;
      city: string | null;
      state: string | null;
      zip: string | null;
      timezone: string | null;
      /** Format: date-time */
      created_at: string | null;
      /** Format: date-time */
      updated_at: string | null;
      external_ref: string | null;
      /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
      custom_fields?: {
        [key: string]: string | number | boolean | string[] | null;
      };
      /** @description The newest hundred. Needs opportunities.readonly; [] without it. */
      opportunities: components["schemas"]["Opportunity"][];
      /** @description The newest hundred. Needs tasks.readonly; [] without it. */
      tasks: components["schemas"]["Task"][];
      /** @description The newest hundred. */
      notes: components["schemas"]["EmbeddedNote"][];
      /** @description The hundred with the newest messages. Needs conversations.readonly; [] without it. */
      conversations: components["schemas"]["Conversation"][];
      /** @description The newest hundred, without those whose event the credential may not read. */
      activities: components["schemas"]["Activity"][];
    };
    /** @description A potential sale to a contact, and its stage. */
    Opportunity: {
      id: number;
      /** @description Null once the contact is deleted. */
      contact: components["schemas"]["NamedContact"] | null;
      pipeline: components["schemas"]["PipelineReference"] | null;
      stage: components["schemas"]["Stage"];
      name: string | null;
      value_cents: number;
      owner: components["schemas"]["Person"] | null;
      /**
       * @description The kind of the stage.
       * @enum {string}
       */
      status: "open" | "won" | "lost";
      lost_reason: string | null;
      /** Format: date-time */
      stage_entered_at: string | null;
      /**
       * Format: date-time
       * @description When it was won or lost.
       */
      closed_at: string | null;
      /** Format: date-time */
      created_at: string | null;
      /** Format: date-time */
      updated_at: string | null;
      /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
      custom_fields?: {
        [key: string]: string | number | boolean | string[] | null;
      };
    };
    NamedContact: {
      id: number;
      name: string;
    };
    PipelineReference: {
      id: number;
      name: string;
    };
    /** @description A task, usually for a contact. */
    Task: {
      id: number;
      title: string;
      /** Format: date-time */
      due_at: string | null;
      /** @description Whether the task is open and past its due date. */
      overdue: boolean;
      /** @description Null for a task without a contact, and once the contact is deleted. */
      contact: components["schemas"]["NamedContact"] | null;
      /** Format: date-time */
      completed_at: string | null;
      /** @description The person that the task is assigned to. */
      assignee: components["schemas"]["Person"] | null;
      /** @description The creator; for an app, the person who installed it; null for an API key or a workflow. */
      created_by: components["schemas"]["Person"] | null;
      /** Format: date-time */
      created_at: string | null;
    };
    EmbeddedNote: {
      id: number;
      body: string;
      pinned: boolean;
      /** @description The author; for an app, the person who installed it; null for an API key or a workflow. */
      user: components["schemas"]["Person"] | null;
      /** Format: date-time */
      created_at: string | null;
      /** Format: date-time */
      updated_at: string | null;
      /**
       * @description The body is truncated to 4,096 characters; GET /contacts/{id}/notes lists notes in full.
       * @constant
       */
      truncated?: true;
    };
    /** @description A conversation with a contact on one channel. */
    Conversation: {
      id: number;
      /** @description Null while the contact is unknown, and once it is deleted. */
      contact: {
        id: number;
        name: string;
        /** @description Needs contacts.readonly; null without it. */
        phone_display: string | null;
        /** @description Needs contacts.readonly; null without it. */
        email: string | null;
      } | null;
      /**
       * @description The kind of its channel.
       * @enum {string}
       */
      kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      channel: components["schemas"]["ChannelReference"] | null;
      /** @enum {string} */
      status: "open" | "snoozed" | "closed";
      /** Format: date-time */
      snoozed_until: string | null;
      assignee: components["schemas"]["Person"] | null;
      /** @description The beginning of the last message, inbound or outbound. */
      preview: string | null;
      /** Format: date-time */
      last_message_at: string | null;
      /** Format: date-time */
      last_inbound_at: string | null;
      unread: boolean;
      unread_count: number;
      subject: string | null;
      /** @description The only contact that matches an unknown sender. PATCH with contact_id confirms it. */
      possible_match: {
        id: number;
        name: string;
      } | null;
    };
    ChannelReference: {
      id: number;
      name: string;
    };
    Activity: {
      id: number;
      /** @description The name of the event. */
      kind: string;
      actor: {
        /** @enum {string} */
        type: "user" | "api_key" | "app" | "workflow" | "contact" | "system";
        id: number | null;
        name: string | null;
      } | null;
      data: {
        field: string;
        old: unknown;
        new: unknown;
      }[];
      /** Format: date-time */
      created_at: string;
    };
    UpsertContactInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      first_name?: string | null;
      last_name?: string | null;
      email?: string | null;
      phone?: string | null;
      company?: string | null;
      source?: string | null;
      interest?: string | null;
      address1?: string | null;
      city?: string | null;
      state?: string | null;
      zip?: string | null;
      timezone?: string | null;
      dnd?: boolean | null;
      owner_user_id?: number | null;
      external_ref?: string | null;
      /** @description Values by key. Only the given keys change; null clears. */
      custom_fields?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description The contact after the upsert, and whether it was created. */
    UpsertedContact: {
      contact: components["schemas"]["Contact"];
      created: boolean;
      /** @description Another contact with the same phone number, if this one was matched by e-mail address. */
      possible_duplicates?: {
        id: number;
        name: string;
        /** @enum {string} */
        matched_on: "email" | "phone";
      }[];
    };
    BulkContact: {
      first_name?: string | null;
      last_name?: string | null;
      email?: string | null;
      phone?: string | null;
      company?: string | null;
      source?: string | null;
      interest?: string | null;
      address1?: string | null;
      city?: string | null;
      state?: string | null;
      zip?: string | null;
      timezone?: string | null;
      dnd?: boolean | null;
      owner_user_id?: number | null;
      external_ref?: string | null;
      /** @description Values by key. Only the given keys change; null clears. */
      custom_fields?: {
        [key: string]: unknown;
      } | null;
    };
    BulkUpsertContactsInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      contacts: components["schemas"]["BulkContact"][];
    };
    /** @description The result for each contact, in the order sent. */
    BulkContacts: {
      data: (
        | {
            status: 200 | 201;
            created: boolean;
            id: number;
          }
        | {
            /** @constant */
            status: 422;
            message: string;
            errors: {
              [key: string]: string[];
            };
          }
      )[];
    };
    /** @description What an import did, by line of the file. */
    ImportReport: {
      created: number;
      updated: number;
      unchanged: number;
      refused_count: number;
      /** @description The first hundred. */
      refused: {
        line: number;
        errors: {
          [key: string]: string[];
        };
      }[];
      /** @description Rows that updated a contact found by phone alone. */
      merged_by_phone_count: number;
      /** @description The first hundred. */
      merged_by_phone: {
        line: number;
        contact: {
          id: number | null;
          name: string;
        };
      }[];
      created_tags_count: number;
      /** @description The first hundred. */
      created_tags: string[];
      created_fields: {
        key: string;
        name: string;
        /** @enum {string} */
        type: "text" | "long_text" | "number" | "money" | "date" | "boolean" | "select" | "multiselect" | "url";
      }[];
      /** @description Columns with unused values. */
      left_out: {
        column: string;
        values: number;
      }[];
      workflows: {
        id: number;
        name: string;
        event: string;
        starts: boolean;
        filtered: boolean;
        contacts: number;
      }[];
      stopped_after_line: number | null;
    };
    /** @description Groups of contacts that may be one person. A page may be short, or empty, although others follow. */
    DuplicateList: {
      data: components["schemas"]["DuplicateGroup"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    DuplicateGroup: {
      /**
       * @description `name`: the same name, and the same company, zip or last four digits.
       * @enum {string}
       */
      reason: "email" | "phone" | "name";
      /** @description Two to twenty, newest first. */
      contacts: components["schemas"]["ContactSummary"][];
    };
    UpdateContactInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      first_name?: string;
      last_name?: string;
      email?: string | null;
      phone?: string | null;
      company?: string | null;
      source?: string | null;
      interest?: string | null;
      address1?: string | null;
      city?: string | null;
      state?: string | null;
      zip?: string | null;
      timezone?: string | null;
      dnd?: boolean;
      owner_user_id?: number | null;
      external_ref?: string | null;
      /** @description Values by key. Only the given keys change; null clears. */
      custom_fields?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description The receipt of a contact that is forgotten. */
    ContactErasure: {
      contact_id: number;
      /** @description The contact, and all that were merged into it. */
      contact_ids: number[];
      /**
       * @description `running` while the worker still removes data.
       * @enum {string}
       */
      status: "running" | "done";
      /** Format: date-time */
      started_at: string;
      /** Format: date-time */
      finished_at: string | null;
      /** @description How many records were removed or emptied, by noun. */
      removed: {
        [key: string]: number;
      };
    };
    MergeContactsInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      contact_id: number;
    };
    /** @description The contacts that were merged into one, newest first. */
    ContactMergeList: {
      data: components["schemas"]["ContactMerge"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    ContactMerge: {
      /** @description The contact that is gone; its id stands for the one that remains. */
      contact_id: number;
      /**
       * @description `running` while some of its records are still to be moved.
       * @enum {string}
       */
      status: "running" | "done";
      /** Format: date-time */
      started_at: string;
      /** Format: date-time */
      finished_at: string | null;
    };
    AddContactTagInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      tag_id?: number | null;
      name?: string | null;
    };
    /** @description At most 20 records of each kind, best first. */
    SearchResults: {
      /** @description Needs contacts.readonly; [] without it. */
      contacts: components["schemas"]["FoundContact"][];
      /** @description Those of matching contacts. Needs conversations.readonly and contacts.readonly; [] without. */
      conversations: components["schemas"]["FoundConversation"][];
      /** @description By their own name; with contacts.readonly also those of matching contacts. Needs opportunities.readonly; [] without it. */
      opportunities: components["schemas"]["FoundOpportunity"][];
      /** @description By their own title; with contacts.readonly also those of matching contacts. Needs tasks.readonly; [] without it. */
      tasks: components["schemas"]["FoundTask"][];
    };
    FoundContact: {
      id: number;
      /** @description First and last name, or else the e-mail address, or else the phone number. */
      name: string;
      email: string | null;
      phone_display: string | null;
      /** Format: date-time */
      last_activity_at: string | null;
      /** @description The text that matches best. */
      matched: {
        /** @enum {string} */
        field: "name" | "email" | "phone" | "title" | "contact.name" | "contact.email" | "contact.phone";
        /** @description Cut after 200 characters. */
        text: string;
      };
    };
    FoundConversation: {
      id: number;
      /** @description Null while the contact is unknown, and once it is deleted. */
      contact: {
        id: number;
        name: string;
        /** @description Needs contacts.readonly; null without it. */
        phone_display: string | null;
        /** @description Needs contacts.readonly; null without it. */
        email: string | null;
      } | null;
      /**
       * @description The kind of its channel.
       * @enum {string}
       */
      kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      /** @enum {string} */
      status: "open" | "snoozed" | "closed";
      /** @description The beginning of the last message, inbound or outbound. */
      preview: string | null;
      /** Format: date-time */
      last_message_at: string | null;
      /** @description The text that matches best. */
      matched: {
        /** @enum {string} */
        field: "name" | "email" | "phone" | "title" | "contact.name" | "contact.email" | "contact.phone";
        /** @description Cut after 200 characters. */
        text: string;
      };
    };
    FoundOpportunity: {
      id: number;
      /** @description Null once the contact is deleted. */
      contact: components["schemas"]["NamedContact"] | null;
      pipeline: components["schemas"]["PipelineReference"] | null;
      stage: components["schemas"]["Stage"];
      name: string | null;
      value_cents: number;
      /**
       * @description The kind of the stage.
       * @enum {string}
       */
      status: "open" | "won" | "lost";
      /** @description The text that matches best. */
      matched: {
        /** @enum {string} */
        field: "name" | "email" | "phone" | "title" | "contact.name" | "contact.email" | "contact.phone";
        /** @description Cut after 200 characters. */
        text: string;
      };
    };
    FoundTask: {
      id: number;
      /** @description Null for a task without a contact, and once the contact is deleted. */
      contact: components["schemas"]["NamedContact"] | null;
      title: string;
      /** Format: date-time */
      due_at: string | null;
      /** @description Whether the task is open and past its due date. */
      overdue: boolean;
      /** Format: date-time */
      completed_at: string | null;
      /** @description The text that matches best. */
      matched: {
        /** @enum {string} */
        field: "name" | "email" | "phone" | "title" | "contact.name" | "contact.email" | "contact.phone";
        /** @description Cut after 200 characters. */
        text: string;
      };
    };
    /** @description A page of notes in full, newest first. */
    NoteList: {
      data: components["schemas"]["Note"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A note on a contact. */
    Note: {
      id: number;
      body: string;
      pinned: boolean;
      /** @description The author; for an app, the person who installed it; null for an API key or a workflow. */
      user: components["schemas"]["Person"] | null;
      /** Format: date-time */
      created_at: string | null;
      /** Format: date-time */
      updated_at: string | null;
    };
    AddNoteInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      body: string;
      pinned?: boolean | null;
    };
    UpdateNoteInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      body?: string;
      pinned?: boolean;
    };
    /** @description A page of opportunities, newest first. */
    OpportunityList: {
      data: components["schemas"]["Opportunity"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    CreateOpportunityInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      contact_id: number;
      pipeline_id: number;
      stage_id: number;
      name?: string | null;
      value_cents?: number | null;
      owner_user_id?: number | null;
      lost_reason?: string | null;
      /** @description Values by key. Only the given keys change; null clears. */
      custom_fields?: {
        [key: string]: unknown;
      } | null;
    };
    UpdateOpportunityInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      stage_id?: number;
      name?: string | null;
      value_cents?: number;
      owner_user_id?: number | null;
      lost_reason?: string | null;
      /** @description Values by key. Only the given keys change; null clears. */
      custom_fields?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description A page of pipelines, oldest first. */
    PipelineList: {
      data: components["schemas"]["Pipeline"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A pipeline with its stages. */
    Pipeline: {
      id: number;
      name: string;
      /** @description The stages, in pipeline order. */
      stages: components["schemas"]["Stage"][];
    };
    CreatePipelineInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name: string;
      stages: {
        name: string;
        /** @enum {string} */
        kind: "open" | "won" | "lost";
        color?: string | null;
      }[];
    };
    UpdatePipelineInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name?: string;
      /** @description Every stage, in order. Stages of the pipeline that are not among them are removed. */
      stages?: {
        name: string;
        /** @enum {string} */
        kind: "open" | "won" | "lost";
        color?: string | null;
        /** @description The stage that stays, under this name and at this place; null for a new one. */
        id?: number | null;
      }[];
      /** @description The remaining stage that receives the opportunities of removed stages. */
      move_to?: number | null;
    };
    /** @description A page of tasks, ordered by due date; tasks without one come last. */
    TaskList: {
      data: components["schemas"]["Task"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    CreateTaskInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      contact_id?: number | null;
      title: string;
      /** @description A time without an offset is in the location's time zone; a date without a time means the end of that day there. */
      due_at?: string | null;
      assignee_user_id?: number | null;
    };
    UpdateTaskInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      title?: string;
      /** @description A time without an offset is in the location's time zone; a date without a time means the end of that day there. */
      due_at?: string | null;
      assignee_user_id?: number | null;
      completed?: boolean;
    };
    /** @description A page of conversations, newest message first. */
    ConversationList: {
      data: components["schemas"]["Conversation"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    StartConversationInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      contact_id: number;
      channel_id: number;
      /** @description Sent immediately as a message. */
      body?: string | null;
      subject?: string | null;
      /** @description Uploaded attachments, each of which can be sent once. */
      attachment_ids?: number[] | null;
    };
    /** @description The conversation, and the message that was sent. */
    StartedConversation: {
      conversation: components["schemas"]["Conversation"];
      /** @description Null if no body was given. */
      message: components["schemas"]["Message"] | null;
    };
    /** @description A message of a conversation. */
    Message: {
      id: number;
      conversation_id: number;
      /** @enum {string} */
      direction: "inbound" | "outbound";
      /**
       * @description A note is internal; system reports a change of the conversation.
       * @enum {string}
       */
      kind: "text" | "note" | "system" | "call";
      body: string | null;
      html: string | null;
      subject: string | null;
      from_address: string | null;
      to_address: string | null;
      /** @enum {string} */
      status: "received" | "queued" | "sent" | "delivered" | "read" | "failed";
      /** @description The reason of a failure; for a queued message, the reason of the last failed attempt. */
      error: string | null;
      /** @description The author; for an app, the person who installed it; null for an API key, a workflow or the contact. */
      author: components["schemas"]["Person"] | null;
      /** Format: date-time */
      sent_at: string | null;
      /** Format: date-time */
      delivered_at: string | null;
      /** Format: date-time */
      created_at: string | null;
      ai_generated: boolean;
      attachments: components["schemas"]["Attachment"][];
    };
    /** @description A file of a message. */
    Attachment: {
      id: number;
      name: string;
      /** @description As the sender declared it. */
      content_type: string;
      /** @description In bytes. */
      size: number;
      /** @description Downloads the file without a credential, for at least an hour. */
      url: string;
    };
    /** @description A conversation and its last messages. */
    OpenedConversation: {
      conversation: components["schemas"]["Conversation"];
      /** @description The last hundred messages, oldest first. */
      messages: components["schemas"]["ShownMessage"][];
    };
    ShownMessage: {
      id: number;
      conversation_id: number;
      /** @enum {string} */
      direction: "inbound" | "outbound";
      /**
       * @description A note is internal; system reports a change of the conversation.
       * @enum {string}
       */
      kind: "text" | "note" | "system" | "call";
      body: string | null;
      html: string | null;
      subject: string | null;
      from_address: string | null;
      to_address: string | null;
      /** @enum {string} */
      status: "received" | "queued" | "sent" | "delivered" | "read" | "failed";
      /** @description The reason of a failure; for a queued message, the reason of the last failed attempt. */
      error: string | null;
      /** @description The author; for an app, the person who installed it; null for an API key, a workflow or the contact. */
      author: components["schemas"]["Person"] | null;
      /** Format: date-time */
      sent_at: string | null;
      /** Format: date-time */
      delivered_at: string | null;
      /** Format: date-time */
      created_at: string | null;
      ai_generated: boolean;
      attachments: components["schemas"]["Attachment"][];
      /**
       * @description The body is truncated to 1,024 characters, and html and attachments are omitted, because later messages are long; GET /conversations/{id}/messages lists messages in full.
       * @constant
       */
      truncated?: true;
    };
    UpdateConversationInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @enum {string} */
      status?: "open" | "snoozed" | "closed";
      /**
       * Format: date-time
       * @description Only for the status snoozed. Without it, the snooze has no end.
       */
      snoozed_until?: string | null;
      assignee_user_id?: number | null;
      /**
       * @description Marks it as read.
       * @constant
       */
      unread?: false;
      /** @description Sets the contact of the conversation. */
      contact_id?: number;
    };
    /** @description A page of messages in full, newest first. */
    MessageList: {
      data: components["schemas"]["Message"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    SendMessageInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      body: string;
      /**
       * @description Default: text. A note is internal and is not sent.
       * @enum {string|null}
       */
      kind?: "text" | "note" | null;
      subject?: string | null;
      /** @description The HTML version, which mail clients show instead of the body. */
      html?: string | null;
      /** @description Uploaded attachments, each of which can be sent once. */
      attachment_ids?: number[] | null;
    };
    RetryMessageInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    CancelMessageInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    /** @description A page of workflows, oldest first. */
    WorkflowList: {
      data: components["schemas"]["WorkflowItem"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A workflow in the list, with what became of the events of its trigger. */
    WorkflowItem: {
      id: number;
      name: string;
      /** @enum {string} */
      status: "draft" | "published";
      /** @description Whether a contact may have several active runs. */
      allow_reentry: boolean;
      /** @description The version that new runs use; null while unpublished. */
      version: number | null;
      /** @description The event that enrolls its contact; null without a trigger, and for a draft. */
      trigger_event: string | null;
      /**
       * Format: date-time
       * @description When a run of it was last refused because it starts too many, by a chain of runs or for one contact within a minute; left out if none was.
       */
      throttled_at?: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description What became of the trigger's events today and in the six days before, in UTC. */
      last_7_days: {
        /** @description Events that started a run. */
        started: number;
        /** @description Events that the filter refused. */
        filtered: number;
        /** @description Events whose contact had an active run already, or too many of all workflows. */
        reentered: number;
        /** @description Events at the end of a chain of workflows that start each other. */
        too_deep: number;
        /** @description Events of imports, which the trigger passes over. */
        imported: number;
        /** @description Events, and nodes of other workflows, that would have started too many runs. */
        throttled: number;
        /** @description Events without a contact, such as a message from an unknown number. */
        without_contact: number;
        /** @description Automatic messages, such as out-of-office replies. */
        automatic: number;
      };
    };
    /** @description A workflow with its definitions. */
    WorkflowDetail: {
      id: number;
      name: string;
      /** @enum {string} */
      status: "draft" | "published";
      /** @description Whether a contact may have several active runs. */
      allow_reentry: boolean;
      /** @description The version that new runs use; null while unpublished. */
      version: number | null;
      /** @description The event that enrolls its contact; null without a trigger, and for a draft. */
      trigger_event: string | null;
      /**
       * Format: date-time
       * @description When a run of it was last refused because it starts too many, by a chain of runs or for one contact within a minute; left out if none was.
       */
      throttled_at?: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The definition that is published next. */
      draft: {
        [key: string]: unknown;
      };
      /** @description The definition that new runs use; null while unpublished. */
      definition: {
        [key: string]: unknown;
      } | null;
      /** @description The number of active runs at each node, among the newest 10,000 that are active and as many that wait. */
      active_runs: {
        [key: string]: number;
      };
      /** @description Whether its posts are signed; POST /workflows/{id}/rotate-secret generates the secret. */
      has_secret: boolean;
      /** @description The secrets of its headers, without their values. */
      secrets: {
        key: string;
        /** @description The only address that it is sent to. */
        origin: string;
      }[];
      /** @description What became of the trigger's events today and in the six days before, in UTC. */
      last_7_days: {
        /** @description Events that started a run. */
        started: number;
        /** @description Events that the filter refused. */
        filtered: number;
        /** @description Events whose contact had an active run already, or too many of all workflows. */
        reentered: number;
        /** @description Events at the end of a chain of workflows that start each other. */
        too_deep: number;
        /** @description Events of imports, which the trigger passes over. */
        imported: number;
        /** @description Events, and nodes of other workflows, that would have started too many runs. */
        throttled: number;
        /** @description Events without a contact, such as a message from an unknown number. */
        without_contact: number;
        /** @description Automatic messages, such as out-of-office replies. */
        automatic: number;
      };
    };
    CreateWorkflowInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name: string;
      definition: {
        [key: string]: unknown;
      };
      allow_reentry?: boolean | null;
      /** @description Publishes the definition in the same transaction. */
      publish?: boolean | null;
    };
    /** @description A workflow that was written. */
    WrittenWorkflow: {
      id: number;
      name: string;
      /** @enum {string} */
      status: "draft" | "published";
      /** @description Whether a contact may have several active runs. */
      allow_reentry: boolean;
      /** @description The version that new runs use; null while unpublished. */
      version: number | null;
      /** @description The event that enrolls its contact; null without a trigger, and for a draft. */
      trigger_event: string | null;
      /**
       * Format: date-time
       * @description When a run of it was last refused because it starts too many, by a chain of runs or for one contact within a minute; left out if none was.
       */
      throttled_at?: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description Likely mistakes that do not prevent publishing. */
      warnings: string[];
      /** @description What prevents the draft from being published. */
      faults?: {
        [key: string]: string[];
      };
    };
    UpdateWorkflowInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name?: string;
      definition?: {
        [key: string]: unknown;
      };
      allow_reentry?: boolean;
      /** @description Publishes the definition in the same transaction. */
      publish?: boolean;
    };
    PublishWorkflowInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    /** @description A workflow that was published. */
    PublishedWorkflow: {
      id: number;
      name: string;
      /** @enum {string} */
      status: "draft" | "published";
      /** @description Whether a contact may have several active runs. */
      allow_reentry: boolean;
      /** @description The version that new runs use; null while unpublished. */
      version: number | null;
      /** @description The event that enrolls its contact; null without a trigger, and for a draft. */
      trigger_event: string | null;
      /**
       * Format: date-time
       * @description When a run of it was last refused because it starts too many, by a chain of runs or for one contact within a minute; left out if none was.
       */
      throttled_at?: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description Likely mistakes that do not prevent publishing. */
      warnings: string[];
    };
    RotateWorkflowSecretInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description How long the old secret also signs. */
      grace_seconds?: number | null;
    };
    /** @description The new secret that signs the posts of a workflow. */
    RotatedWorkflowSecret: {
      id: number;
      /** @description It is shown only once. */
      secret: string;
      /**
       * Format: date-time
       * @description Until when the old one also signs.
       */
      old_secret_until: string | null;
    };
    SetWorkflowSecretInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description How headers name it: {{secret.KEY}}. */
      key: string;
      /** @description Stored encrypted, and never shown. null removes the secret. */
      value: string | null;
      /** @description The only address that it is sent to. Required with a value. */
      origin?: string | null;
    };
    /** @description The secrets of a workflow, without their values. */
    WorkflowSecrets: {
      data: {
        key: string;
        /** @description The only address that it is sent to. */
        origin: string;
      }[];
    };
    UnpublishWorkflowInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    /** @description A workflow that was unpublished. */
    UnpublishedWorkflow: {
      id: number;
      name: string;
      /** @enum {string} */
      status: "draft" | "published";
      /** @description Whether a contact may have several active runs. */
      allow_reentry: boolean;
      /** @description The version that new runs use; null while unpublished. */
      version: number | null;
      /** @description The event that enrolls its contact; null without a trigger, and for a draft. */
      trigger_event: string | null;
      /**
       * Format: date-time
       * @description When a run of it was last refused because it starts too many, by a chain of runs or for one contact within a minute; left out if none was.
       */
      throttled_at?: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      /** @description The number of runs that ended. */
      ended: number;
    };
    TryWorkflowInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description Default: its published definition, or its draft if it has none. */
      definition?: {
        [key: string]: unknown;
      } | null;
      /** @description Default: the contact of the event. */
      contact_id?: number | null;
      event?: {
        /** @enum {string} */
        event:
          | "ping"
          | "location.created"
          | "location.updated"
          | "user.invited"
          | "contact.created"
          | "contact.updated"
          | "contact.deleted"
          | "contact.tag_added"
          | "contact.tag_removed"
          | "opportunity.created"
          | "opportunity.stage_changed"
          | "task.created"
          | "task.completed"
          | "note.added"
          | "conversation.created"
          | "conversation.updated"
          | "message.received"
          | "message.sent"
          | "message.failed"
          | "workflow.run_started"
          | "workflow.run_finished"
          | "page.viewed"
          | "form.submitted"
          | "survey.submitted"
          | "quiz.submitted"
          | "trigger_link.clicked"
          | "review.received"
          | "review.replied"
          | "review_request.sent"
          | "review_request.clicked"
          | "video_testimonial.received"
          | "social_post.published"
          | "social_post.failed"
          | "social_post.approved"
          | "invoice.paid"
          | "payment.failed"
          | "appointment.booked"
          | "appointment.cancelled";
        contact_id?: number | null;
        data: {
          [key: string]: unknown;
        };
      } | null;
      /** @description An event of the log, in place of `event`. */
      event_id?: number | null;
      /** @description The `context` of the workflow's templates and filters. */
      context?: {
        [key: string]: unknown;
      } | null;
      /** @description Whether the contact replies to every wait for a reply. */
      reply?: boolean | null;
    };
    /** @description What a run would do. */
    DryRun: {
      /** @description Only for an event. */
      trigger?: {
        event: string;
        /** @description null for an event of the log without a contact. */
        contact_id: number | null;
        /** @description Whether the event would start a run now. */
        starts: boolean;
        /** @description Why it would not, as sentences. */
        reasons: string[];
        filter: {
          holds: boolean;
          /** @description One of them suffices. */
          any: {
            field: string;
            op: string;
            /** @description What the condition compares with; a list for `in` and `nin`. */
            value: unknown;
            /** @description What the contact or the context has. */
            given: unknown;
            holds: boolean;
          }[];
        }[];
      };
      /** @description None if the event would not start the workflow. */
      steps: (
        | {
            /** Format: date-time */
            at: string;
            node: string;
            /** @description The node, its templates filled in. */
            did: {
              [key: string]: unknown;
            };
          }
        | {
            /** Format: date-time */
            at: string;
            node: string;
            /** @description Where a branch continued: `then`, `else`, `case 2`; or the node that a split chose. */
            took: string;
          }
        | {
            /** Format: date-time */
            at: string;
            node: string;
            /** @enum {string} */
            waits: "none" | "delay" | "until" | "reply" | "event" | "channel";
            /** Format: date-time */
            until: string | null;
            event: string | null;
          }
        | {
            /** Format: date-time */
            at: string;
            node: string;
            /** @description Why the node was refused. */
            failed: string;
            /** @description Its `on_error`, where the run continues. */
            took: string;
          }
        | {
            /** Format: date-time */
            at: string;
            node: string;
            /** @enum {string} */
            ended:
              | "finished"
              | "goal_met"
              | "replied"
              | "exited"
              | "removed"
              | "contact_deleted"
              | "workflow_unpublished"
              | "dnd"
              | "error";
            error?: string;
          }
        | {
            /** Format: date-time */
            at: string;
            node: string;
            /**
             * @description The workflow loops: what follows repeats.
             * @constant
             */
            goes_on: true;
          }
      )[];
    };
    EnrollInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description The contact; required without `contact_ids`. */
      contact_id?: number | null;
      contact_ids?: number[] | null;
      /** @description The `context` of the workflow's templates and filters. */
      context?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description The run; with `contact_ids`, the result for each contact. */
    Enrollment: components["schemas"]["WorkflowRun"] | components["schemas"]["EnrolledContacts"];
    /** @description The progress of a contact through a workflow. */
    WorkflowRun: {
      id: number;
      workflow_id: number;
      contact_id: number;
      /** @enum {string} */
      status: "active" | "waiting" | "completed" | "failed" | "canceled";
      /** @description The next node, the one at which the run waits, or the one at which it ended. */
      current_node_id: string | null;
      /** @enum {string} */
      wait_reason: "none" | "delay" | "until" | "reply" | "event" | "channel";
      /**
       * Format: date-time
       * @description When the wait ends or times out.
       */
      wake_at: string | null;
      /** @enum {unknown} */
      ended_reason:
        | "finished"
        | "goal_met"
        | "replied"
        | "exited"
        | "removed"
        | "contact_deleted"
        | "workflow_unpublished"
        | "dnd"
        | "error"
        | null;
      /** Format: date-time */
      enrolled_at: string;
      /**
       * Format: date-time
       * @description When the run ended, for any reason.
       */
      completed_at: string | null;
    };
    /** @description The result for each contact, in the order sent. */
    EnrolledContacts: {
      data: (
        | {
            /** @constant */
            status: 201;
            contact_id: number;
            run: components["schemas"]["WorkflowRun"];
          }
        | {
            /** @constant */
            status: 422;
            contact_id: number;
            message: string;
            errors: {
              [key: string]: string[];
            };
          }
      )[];
    };
    /** @description A page of the runs of a workflow, newest first. */
    WorkflowRunList: {
      data: components["schemas"]["WorkflowRunItem"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A run in the list of a workflow. */
    WorkflowRunItem: {
      id: number;
      workflow_id: number;
      contact_id: number;
      /** @enum {string} */
      status: "active" | "waiting" | "completed" | "failed" | "canceled";
      /** @description The next node, the one at which the run waits, or the one at which it ended. */
      current_node_id: string | null;
      /** @enum {string} */
      wait_reason: "none" | "delay" | "until" | "reply" | "event" | "channel";
      /**
       * Format: date-time
       * @description When the wait ends or times out.
       */
      wake_at: string | null;
      /** @enum {unknown} */
      ended_reason:
        | "finished"
        | "goal_met"
        | "replied"
        | "exited"
        | "removed"
        | "contact_deleted"
        | "workflow_unpublished"
        | "dnd"
        | "error"
        | null;
      /** Format: date-time */
      enrolled_at: string;
      /**
       * Format: date-time
       * @description When the run ended, for any reason.
       */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description When the run began to wait; null unless it waits.
       */
      waiting_since: string | null;
      /** @description The event that the run waits for. */
      awaited_event: string | null;
      /** @description The channel that the run waits for. */
      awaited_channel_id: number | null;
      /** @description Why the run failed; of a run that repeats its node at `wake_at`, why the last attempt failed. */
      error: string | null;
      /** @description The failed attempts at the current node. */
      attempts: number;
    };
    /** @description A run of a workflow, with its context and its last steps. */
    WorkflowRunDetail: {
      id: number;
      workflow_id: number;
      contact_id: number;
      /** @enum {string} */
      status: "active" | "waiting" | "completed" | "failed" | "canceled";
      /** @description The next node, the one at which the run waits, or the one at which it ended. */
      current_node_id: string | null;
      /** @enum {string} */
      wait_reason: "none" | "delay" | "until" | "reply" | "event" | "channel";
      /**
       * Format: date-time
       * @description When the wait ends or times out.
       */
      wake_at: string | null;
      /** @enum {unknown} */
      ended_reason:
        | "finished"
        | "goal_met"
        | "replied"
        | "exited"
        | "removed"
        | "contact_deleted"
        | "workflow_unpublished"
        | "dnd"
        | "error"
        | null;
      /** Format: date-time */
      enrolled_at: string;
      /**
       * Format: date-time
       * @description When the run ended, for any reason.
       */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description When the run began to wait; null unless it waits.
       */
      waiting_since: string | null;
      /** @description The event that the run waits for. */
      awaited_event: string | null;
      /** @description The channel that the run waits for. */
      awaited_channel_id: number | null;
      /** @description Why the run failed; of a run that repeats its node at `wake_at`, why the last attempt failed. */
      error: string | null;
      /** @description The failed attempts at the current node. */
      attempts: number;
      /** @description The version of the workflow that it follows. */
      version: number;
      /** @description The event that started it; null if the contact was enrolled by a request. */
      trigger_event: string | null;
      /** @description The context that was given with the enrollment, or the data of the event that started it, as far as the credential may see that event; {} otherwise. */
      context: {
        [key: string]: unknown;
      };
      /** @description The last 200 steps, the oldest first. */
      steps: components["schemas"]["WorkflowRunStep"][];
    };
    /** @description A step of a run. */
    WorkflowRunStep: {
      node_id: string;
      /** @description The type of the node. */
      type: string;
      /** Format: date-time */
      at: string;
      /**
       * @description `done`: the node was performed. `waits`: the run waits there. `retries`: the attempt failed and is repeated. `failed`: the node failed. `ended`: the run ended there for another reason. `retried`: the failed run was retried.
       * @enum {string}
       */
      outcome: "done" | "waits" | "retries" | "failed" | "ended" | "retried";
      detail: {
        /** @description The node at which the run continued. */
        next?: string;
        /**
         * @description What ended the wait.
         * @enum {string}
         */
        ended_by?: "reply" | "event" | "time" | "timeout" | "channel";
        /** @description The goal that was met, to which the run jumped. */
        goal?: string;
        /** @description The message that was queued. */
        message_id?: number;
        /** @enum {string} */
        wait_reason?: "none" | "delay" | "until" | "reply" | "event" | "channel";
        /**
         * Format: date-time
         * @description When the wait ends, or the attempt is repeated.
         */
        until?: string | null;
        /** @description The event that the run waits for. */
        event?: string;
        /** @description The channel that the run waits for. */
        channel_id?: number;
        /** @description The status of the response to the post. */
        status?: number;
        /** @description Why the attempt failed. */
        error?: string;
        /**
         * @description Why the run ended.
         * @enum {string}
         */
        ended_reason?:
          | "finished"
          | "goal_met"
          | "replied"
          | "exited"
          | "removed"
          | "contact_deleted"
          | "workflow_unpublished"
          | "dnd"
          | "error";
      };
      /** @description The attempt at the node; the first is 1. */
      attempt: number;
    };
    RetryRunInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    /** @description Every channel of the location, by kind, then id. */
    ChannelList: {
      data: components["schemas"]["Channel"][];
    };
    /** @description A connection by which a location exchanges messages with its contacts. */
    Channel: {
      id: number;
      /** @enum {string} */
      kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      name: string;
      address: string;
      /** @enum {string} */
      status: "active" | "paused" | "error";
      /** Format: date-time */
      created_at: string;
      /** @description Only of email channels. */
      inbound_address?: string;
      /** @description Only of email channels. */
      outbound_address?: string;
    };
    CreateChannelInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name: string;
      /** @enum {string} */
      kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      address?: string | null;
      inbound_address?: string | null;
      outbound_address?: string | null;
      /** @enum {string|null} */
      transport?: "log" | "smtp" | "http" | null;
      transport_url?: string | null;
      transport_secret?: string | null;
      imap_url?: string | null;
      imap_password?: string | null;
      imap_move_to?: string | null;
    };
    /** @description A new channel with its inbound URL, which is a secret. */
    NewChannel: {
      id: number;
      /** @enum {string} */
      kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      name: string;
      address: string;
      /** @enum {string} */
      status: "active" | "paused" | "error";
      /** Format: date-time */
      created_at: string;
      /** @description Only of email channels. */
      inbound_address?: string;
      /** @description Only of email channels. */
      outbound_address?: string;
      /** @description The URL that accepts inbound messages. It is a secret. */
      inbound_url: string;
      /** @description The URL at which a gateway reports deliveries. It is a secret. */
      receipts_url?: string;
      /** @description The secret that signs requests to a gateway, if it was generated. It is shown only once. */
      transport_secret?: string;
    };
    UpdateChannelInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name?: string;
      address?: string;
      inbound_address?: string | null;
      outbound_address?: string | null;
      /** @enum {string} */
      transport?: "log" | "smtp" | "http";
      transport_url?: string | null;
      transport_secret?: string | null;
      imap_url?: string | null;
      imap_password?: string | null;
      imap_move_to?: string | null;
      /** @enum {string} */
      status?: "active" | "paused";
    };
    /** @description A channel after a change. */
    ChangedChannel: {
      id: number;
      /** @enum {string} */
      kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      name: string;
      address: string;
      /** @enum {string} */
      status: "active" | "paused" | "error";
      /** Format: date-time */
      created_at: string;
      /** @description Only of email channels. */
      inbound_address?: string;
      /** @description Only of email channels. */
      outbound_address?: string;
      /** @description The secret that signs requests to a gateway, if it was generated. It is shown only once. */
      transport_secret?: string;
    };
    RotateInboundUrlInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    /** @description A channel with its inbound URL, which is a secret. */
    OpenChannel: {
      id: number;
      /** @enum {string} */
      kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      name: string;
      address: string;
      /** @enum {string} */
      status: "active" | "paused" | "error";
      /** Format: date-time */
      created_at: string;
      /** @description Only of email channels. */
      inbound_address?: string;
      /** @description Only of email channels. */
      outbound_address?: string;
      /** @description The URL that accepts inbound messages. It is a secret. */
      inbound_url: string;
      /** @description The URL at which a gateway reports deliveries. It is a secret. */
      receipts_url?: string;
    };
    TestChannelInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      to: string;
    };
    /** @description The result of a test message. */
    ChannelTest: {
      id: number;
      name: string;
      /** @enum {string} */
      transport: "log" | "smtp" | "http";
      /** @description Why the transport failed; null if it accepted the message. */
      reason: string | null;
      /** @description Why the mailbox cannot be read; null if it can. Absent without a mailbox. */
      imap_reason?: string | null;
    };
    /** @description A page of custom fields, oldest first. */
    CustomFieldList: {
      data: components["schemas"]["CustomField"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A custom field of the workspace. */
    CustomField: {
      id: number;
      /** @enum {string} */
      on: "contact" | "opportunity";
      /** @description The name of the field in `custom_fields`; it never changes. */
      key: string;
      name: string;
      /** @enum {string} */
      type: "text" | "long_text" | "number" | "money" | "date" | "boolean" | "select" | "multiselect" | "url";
      /** @description Of the types `select` and `multiselect` only. */
      options?: string[];
      /** Format: date-time */
      created_at: string;
    };
    CreateCustomFieldInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @enum {string} */
      on: "contact" | "opportunity";
      name: string;
      /** @enum {string} */
      type: "text" | "long_text" | "number" | "money" | "date" | "boolean" | "select" | "multiselect" | "url";
      /** @description Made from the name, unless given. */
      key?: string | null;
      options?: string[] | null;
    };
    UpdateCustomFieldInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name?: string;
      options?: string[];
    };
    /** @description A page of tags, by name. */
    TagList: {
      data: components["schemas"]["Tag"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    CreateTagInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name: string;
      color?: string | null;
    };
    UpdateTagInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name?: string;
      color?: string | null;
    };
    /** @description A page of people, by id. */
    UserList: {
      data: components["schemas"]["User"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A person of the workspace. */
    User: {
      id: number;
      name: string;
      email: string;
      /** @enum {string} */
      role: "owner" | "manager" | "member";
      /** @description The locations that the person has access to; null: every location. */
      location_ids: number[] | null;
    };
    InviteUserInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      email: string;
      name?: string | null;
      /** @enum {string} */
      role: "owner" | "manager" | "member";
      /** @description null: every location, including future ones. Owners always have access to every location. */
      location_ids?: number[] | null;
      /** @description A first password. Only the operator can set it. */
      password?: string | null;
    };
    /** @description An invited person. Has no link if the operator set the first password. */
    InvitedUser: {
      id: number;
      email: string;
      /** @enum {string} */
      role: "owner" | "manager" | "member";
      /**
       * @description The link was mailed to the person.
       * @constant
       */
      mailed?: true;
      /** @description The link by which the person joins, valid for a week. Works once; shown because no mail could be sent. */
      invite_url?: string;
    };
    UpdateUserInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      name?: string;
      email?: string;
      /** @enum {string} */
      role?: "owner" | "manager" | "member";
      /** @description Replaces the person's locations; null: every location, including future ones. */
      location_ids?: number[] | null;
    };
    /** @description A page of the event log, in log order. */
    EventLog: {
      data: components["schemas"]["LoggedEvent"][];
      /** @description Send it as `after` to continue, even if `data` is empty. */
      last_position: number;
      /** @description Whether the log has more events: send the next request immediately. */
      has_more: boolean;
    };
    /** @description An event with its position in the log. */
    LoggedEvent: {
      /** @description The position in the log, in the order of commits. */
      position: number;
      id: number;
      /** @enum {string} */
      event:
        | "ping"
        | "location.created"
        | "location.updated"
        | "user.invited"
        | "contact.created"
        | "contact.updated"
        | "contact.deleted"
        | "contact.tag_added"
        | "contact.tag_removed"
        | "opportunity.created"
        | "opportunity.stage_changed"
        | "task.created"
        | "task.completed"
        | "note.added"
        | "conversation.created"
        | "conversation.updated"
        | "message.received"
        | "message.sent"
        | "message.failed"
        | "workflow.run_started"
        | "workflow.run_finished"
        | "page.viewed"
        | "form.submitted"
        | "survey.submitted"
        | "quiz.submitted"
        | "trigger_link.clicked"
        | "review.received"
        | "review.replied"
        | "review_request.sent"
        | "review_request.clicked"
        | "video_testimonial.received"
        | "social_post.published"
        | "social_post.failed"
        | "social_post.approved"
        | "invoice.paid"
        | "payment.failed"
        | "appointment.booked"
        | "appointment.cancelled";
      /** Format: date-time */
      created_at: string;
      /** @description The record at the time of the event, with its location_id. */
      data: {
        [key: string]: unknown;
      };
      /** @description The contact whose timeline shows the event. */
      contact_id: number | null;
      actor: {
        /** @enum {string} */
        type: "user" | "api_key" | "app" | "workflow" | "contact" | "system";
        id: number | null;
        name: string | null;
      };
    };
    ReportEventInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @enum {string} */
      event:
        | "page.viewed"
        | "form.submitted"
        | "survey.submitted"
        | "quiz.submitted"
        | "trigger_link.clicked"
        | "review.received"
        | "review.replied"
        | "review_request.sent"
        | "review_request.clicked"
        | "video_testimonial.received"
        | "social_post.published"
        | "social_post.failed"
        | "social_post.approved"
        | "invoice.paid"
        | "payment.failed"
        | "appointment.booked"
        | "appointment.cancelled";
      /** @description The contact whose timeline shows the event. Omit it if the event has no contact. */
      contact_id?: number | null;
      /** @description Any JSON object. Timelines show its first members. */
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the event happened. Default: now.
       */
      occurred_at?: string | null;
    };
    /** @description The event that was recorded. */
    ReportedEvent: {
      id: number;
      /** @enum {string} */
      event:
        | "ping"
        | "location.created"
        | "location.updated"
        | "user.invited"
        | "contact.created"
        | "contact.updated"
        | "contact.deleted"
        | "contact.tag_added"
        | "contact.tag_removed"
        | "opportunity.created"
        | "opportunity.stage_changed"
        | "task.created"
        | "task.completed"
        | "note.added"
        | "conversation.created"
        | "conversation.updated"
        | "message.received"
        | "message.sent"
        | "message.failed"
        | "workflow.run_started"
        | "workflow.run_finished"
        | "page.viewed"
        | "form.submitted"
        | "survey.submitted"
        | "quiz.submitted"
        | "trigger_link.clicked"
        | "review.received"
        | "review.replied"
        | "review_request.sent"
        | "review_request.clicked"
        | "video_testimonial.received"
        | "social_post.published"
        | "social_post.failed"
        | "social_post.approved"
        | "invoice.paid"
        | "payment.failed"
        | "appointment.booked"
        | "appointment.cancelled";
      /** Format: date-time */
      created_at: string;
    };
    /** @description An event as a webhook would receive it. */
    SampleEvent: {
      id: number;
      /** @enum {string} */
      event:
        | "ping"
        | "location.created"
        | "location.updated"
        | "user.invited"
        | "contact.created"
        | "contact.updated"
        | "contact.deleted"
        | "contact.tag_added"
        | "contact.tag_removed"
        | "opportunity.created"
        | "opportunity.stage_changed"
        | "task.created"
        | "task.completed"
        | "note.added"
        | "conversation.created"
        | "conversation.updated"
        | "message.received"
        | "message.sent"
        | "message.failed"
        | "workflow.run_started"
        | "workflow.run_finished"
        | "page.viewed"
        | "form.submitted"
        | "survey.submitted"
        | "quiz.submitted"
        | "trigger_link.clicked"
        | "review.received"
        | "review.replied"
        | "review_request.sent"
        | "review_request.clicked"
        | "video_testimonial.received"
        | "social_post.published"
        | "social_post.failed"
        | "social_post.approved"
        | "invoice.paid"
        | "payment.failed"
        | "appointment.booked"
        | "appointment.cancelled";
      /** Format: date-time */
      created_at: string;
      /** @description The record at the time of the event, with its location_id. */
      data: {
        [key: string]: unknown;
      };
    };
    /** @description A page of audit entries, latest first. */
    AuditEntryList: {
      data: components["schemas"]["AuditEntry"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description Who did what, when, and from where. */
    AuditEntry: {
      id: number;
      /** @description The operation, or signIn, signInFailed, installApp and others that are none. */
      operation: string;
      actor: {
        /** @enum {string} */
        type: "user" | "api_key" | "app" | "workflow" | "contact" | "system" | "operator" | "anonymous";
        id: number | null;
        /** @description The name as it is now; null for a removed record. */
        name: string | null;
      };
      /** @description The client's IP address; null at the terminal. */
      address: string | null;
      location_id: number | null;
      /** @description The record that was changed. */
      subject: {
        type: string;
        id: number;
      } | null;
      /** @description The names of the fields that were given, and facts besides. */
      details: {
        [key: string]: unknown;
      };
      /** Format: date-time */
      created_at: string;
      /** @description The position in the hash chain; null until the worker has chained it. */
      position: number | null;
      hash: string | null;
    };
    /** @description A page of webhooks, oldest first. */
    HookList: {
      data: components["schemas"]["Hook"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A webhook. */
    Hook: {
      id: number;
      /** @description The event, where there is one alone. */
      event: string | null;
      /** @description The events it receives; null for all. */
      events: string[] | null;
      target_url: string;
      /** @description The location it is restricted to. */
      location_id: number | null;
      /** @enum {string} */
      status: "active" | "paused" | "disabled";
      /**
       * Format: date-time
       * @description Time of the first failure since the last success; null while attempts succeed.
       */
      failing_since: string | null;
      /** Format: date-time */
      created_at: string;
    };
    RegisterHookInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @enum {string} */
      event:
        | "location.created"
        | "location.updated"
        | "user.invited"
        | "contact.created"
        | "contact.updated"
        | "contact.deleted"
        | "contact.tag_added"
        | "contact.tag_removed"
        | "opportunity.created"
        | "opportunity.stage_changed"
        | "task.created"
        | "task.completed"
        | "note.added"
        | "conversation.created"
        | "conversation.updated"
        | "message.received"
        | "message.sent"
        | "message.failed"
        | "workflow.run_started"
        | "workflow.run_finished"
        | "page.viewed"
        | "form.submitted"
        | "survey.submitted"
        | "quiz.submitted"
        | "trigger_link.clicked"
        | "review.received"
        | "review.replied"
        | "review_request.sent"
        | "review_request.clicked"
        | "video_testimonial.received"
        | "social_post.published"
        | "social_post.failed"
        | "social_post.approved"
        | "invoice.paid"
        | "payment.failed"
        | "appointment.booked"
        | "appointment.cancelled";
      /** @description A public https URL. Its name is resolved now and again at each delivery; redirects are not followed. */
      target_url: string;
    };
    /** @description A webhook that was just registered, with its secret. */
    HookRegistration: {
      id: number;
      event: string;
      target_url: string;
      /** @description Signs every delivery. It is shown only once. */
      secret: string;
    };
    UpdateHookInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description From now on; null for all that its scopes cover. */
      events?:
        | (
            | "location.created"
            | "location.updated"
            | "user.invited"
            | "contact.created"
            | "contact.updated"
            | "contact.deleted"
            | "contact.tag_added"
            | "contact.tag_removed"
            | "opportunity.created"
            | "opportunity.stage_changed"
            | "task.created"
            | "task.completed"
            | "note.added"
            | "conversation.created"
            | "conversation.updated"
            | "message.received"
            | "message.sent"
            | "message.failed"
            | "workflow.run_started"
            | "workflow.run_finished"
            | "page.viewed"
            | "form.submitted"
            | "survey.submitted"
            | "quiz.submitted"
            | "trigger_link.clicked"
            | "review.received"
            | "review.replied"
            | "review_request.sent"
            | "review_request.clicked"
            | "video_testimonial.received"
            | "social_post.published"
            | "social_post.failed"
            | "social_post.approved"
            | "invoice.paid"
            | "payment.failed"
            | "appointment.booked"
            | "appointment.cancelled"
          )[]
        | null;
      /** @description A public https URL. Its name is resolved now and again at each delivery; redirects are not followed. */
      target_url?: string;
      /**
       * @description The events of a paused webhook wait.
       * @enum {string}
       */
      status?: "active" | "paused";
    };
    RotateHookSecretInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description How long the old secret also signs. */
      grace_seconds?: number | null;
    };
    /** @description The new secret of a webhook. */
    RotatedHookSecret: {
      id: number;
      /** @description It is shown only once. */
      secret: string;
      /**
       * Format: date-time
       * @description Until when the old one also signs.
       */
      old_secret_until: string | null;
    };
    /** @description A page of deliveries, newest first. */
    DeliveryList: {
      data: components["schemas"]["Delivery"][];
      /** @description Send it as `cursor` for the next page; null ends the list. */
      next_cursor: string | null;
    };
    /** @description A delivery of an event to a webhook, with its attempts. */
    Delivery: {
      /** @description The same as `id` of the body and `X-Service-Delivery`, in every attempt. */
      id: number;
      event: string;
      /** @enum {string} */
      state: "pending" | "delivering" | "retrying" | "delivered" | "failed" | "canceled";
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      next_attempt_at: string | null;
      /** @description The latest ten, in order. */
      attempts: {
        number: number;
        /** Format: date-time */
        at: string;
        /** @description null while it is in flight. */
        duration_ms: number | null;
        /** @description The response status of the receiver, if any. */
        status: number | null;
        /**
         * @description Why it failed; null if it succeeded or is in flight.
         * @enum {unknown}
         */
        error:
          | "timeout"
          | "dns"
          | "tls"
          | "refused"
          | "redirect"
          | "forbidden_address"
          | "http_4xx"
          | "http_5xx"
          | "crashed"
          | null;
        /** @description The first 4 KiB of the answer; null where the credential may not hear of the event. */
        body: string | null;
      }[];
    };
    /** @description A delivery with its attempts, its webhook and its body. */
    SentDelivery: {
      /** @description The same as `id` of the body and `X-Service-Delivery`, in every attempt. */
      id: number;
      event: string;
      /** @enum {string} */
      state: "pending" | "delivering" | "retrying" | "delivered" | "failed" | "canceled";
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      next_attempt_at: string | null;
      /** @description The latest ten, in order. */
      attempts: {
        number: number;
        /** Format: date-time */
        at: string;
        /** @description null while it is in flight. */
        duration_ms: number | null;
        /** @description The response status of the receiver, if any. */
        status: number | null;
        /**
         * @description Why it failed; null if it succeeded or is in flight.
         * @enum {unknown}
         */
        error:
          | "timeout"
          | "dns"
          | "tls"
          | "refused"
          | "redirect"
          | "forbidden_address"
          | "http_4xx"
          | "http_5xx"
          | "crashed"
          | null;
        /** @description The first 4 KiB of the answer; null where the credential may not hear of the event. */
        body: string | null;
      }[];
      hook: {
        id: number;
        target_url: string;
        /** @enum {string} */
        status: "active" | "paused" | "disabled";
      };
      /** @description The JSON as sent, without members that need a scope the credential lacks; null once the payload is pruned, or without the scope of the event. */
      body: string | null;
    };
    ReplayDeliveryInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    SendTestInput: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    IssueTokensInput: {
      /** @enum {string} */
      grant_type: "authorization_code" | "refresh_token";
      /** @description The client id of the app, unless it authenticates by HTTP Basic. */
      client_id?: string;
      /** @description Its client secret. */
      client_secret?: string;
      /** @description With `authorization_code`: from the redirect. */
      code?: string;
      /** @description With `authorization_code`: the one that the code was sent to. */
      redirect_uri?: string;
      /** @description With `authorization_code`: if a challenge was sent (PKCE). */
      code_verifier?: string;
      /** @description With `refresh_token`. */
      refresh_token?: string;
      /** @description With `refresh_token`: fewer scopes for the access token, separated by spaces. */
      scope?: string;
    };
    /** @description An access token and a refresh token. */
    Tokens: {
      access_token: string;
      /** @constant */
      token_type: "Bearer";
      /** @description Seconds. */
      expires_in: number;
      /** @description Works once. */
      refresh_token: string;
      /** @description Separated by spaces. */
      scope: string;
      /** @description The location in which the access token is valid. */
      location_id: number;
      /** @description The workspace of the location. */
      workspace_id: number;
    };
    RevokeTokenInput: {
      /** @description The client id of the app, unless it authenticates by HTTP Basic. */
      client_id?: string;
      /** @description Its client secret. */
      client_secret?: string;
      /** @description An access token or a refresh token. */
      token: string;
      /** @enum {string} */
      token_type_hint?: "access_token" | "refresh_token";
    };
    /** @description The token is invalid now. */
    Revoked: Record<string, never>;
    ReportPaymentInput: {
      /** @description As in the header. */
      clientId: string;
      /** @enum {string} */
      authType: "location" | "company";
      /** @description The payer, with the authType `location`. */
      locationId?: string | number;
      /** @description The payer, with the authType `company`. */
      companyId?: string | number;
      /** @description US dollars, in whole cents. */
      amount: number;
      /** @enum {string} */
      status: "COMPLETED" | "FAILED";
      /** @enum {string} */
      paymentType: "one_time" | "recurring";
      /** @description Your id of the payment; required for `one_time`. */
      paymentId?: string | null;
      /** @description Your id of the subscription. */
      subscriptionId?: string | null;
      /**
       * Format: date-time
       * @description When the payment happened, at most five minutes ahead. An older report than the latest does not decide.
       */
      occurredAt?: string | null;
    };
    /** @description The report is stored. */
    ReportTaken: {
      /** @constant */
      ok: true;
    };
    ReceiveMessageInput: {
      from: string;
      to?: string | null;
      body?: string | null;
      html?: string | null;
      subject?: string | null;
      external_id?: string | null;
      automatic?: boolean | null;
      attachments?:
        | {
            name?: string | null;
            content_type?: string | null;
            /** @description By which the html shows it, as in cid:ID. */
            content_id?: string | null;
            content: string;
          }[]
        | null;
    };
    /** @description The message, and its conversation; null for a bounce that names neither a known mail nor a known recipient. */
    ReceivedMessage: {
      id: number | null;
      conversation_id: number | null;
    };
    ReportReceiptInput: {
      message_id: number;
      /** @enum {string} */
      status: "sent" | "delivered" | "read" | "failed";
      error?: string | null;
      /** @description The `retry` of the post that it is about: a receipt about an earlier one is ignored. */
      retry?: number | null;
    };
    /** @description The message with its resulting status. */
    Receipt: {
      message_id: number;
      /** @enum {string} */
      status: "sent" | "delivered" | "read" | "failed";
    };
    /** @description The event ping. */
    PingEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "ping";
      /** Format: date-time */
      created_at: string;
      data: {
        message: string;
        hook_id: number;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event location.created. */
    LocationCreatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "location.created";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        name: string;
        address1: string;
        city: string;
        state: string;
        zip: string;
        phone_public: string;
        timezone: string;
        website: string;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event location.updated. */
    LocationUpdatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "location.updated";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        name: string;
        address1: string;
        city: string;
        state: string;
        zip: string;
        phone_public: string;
        timezone: string;
        website: string;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event user.invited. */
    UserInvitedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "user.invited";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        name: string;
        email: string;
        /** @enum {string} */
        role: "owner" | "manager" | "member";
        /** @description The locations that the person has access to; null: every location. */
        location_ids: number[] | null;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event contact.created. */
    ContactCreatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "contact.created";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description First and last name, or else the e-mail address, or else the phone number. */
        name: string;
        first_name: string;
        last_name: string;
        email: string | null;
        phone_display: string | null;
        interest: string | null;
        source: string | null;
        owner: components["schemas"]["Person"] | null;
        tags: components["schemas"]["Tag"][];
        /** @description The stage of the newest open opportunity, or else of the newest closed one. Needs opportunities.readonly; null without it. */
        stage: components["schemas"]["Stage"] | null;
        /** @description The value of the same opportunity; 0 if there is none. Needs opportunities.readonly; 0 without it. */
        value_cents: number;
        /** Format: date-time */
        last_activity_at: string | null;
        /** @description The open task that is due first. Needs tasks.readonly; null without it. */
        next_task: components["schemas"]["NextTask"] | null;
        /** @description Do not disturb: automated messages are not sent. */
        dnd: boolean;
        company: string | null;
        address1: string | null;
        city: string | null;
        state: string | null;
        zip: string | null;
        timezone: string | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        external_ref: string | null;
        /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
        custom_fields?: {
          [key: string]: string | number | boolean | string[] | null;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event contact.updated. */
    ContactUpdatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "contact.updated";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description First and last name, or else the e-mail address, or else the phone number. */
        name: string;
        first_name: string;
        last_name: string;
        email: string | null;
        phone_display: string | null;
        interest: string | null;
        source: string | null;
        owner: components["schemas"]["Person"] | null;
        tags: components["schemas"]["Tag"][];
        /** @description The stage of the newest open opportunity, or else of the newest closed one. Needs opportunities.readonly; null without it. */
        stage: components["schemas"]["Stage"] | null;
        /** @description The value of the same opportunity; 0 if there is none. Needs opportunities.readonly; 0 without it. */
        value_cents: number;
        /** Format: date-time */
        last_activity_at: string | null;
        /** @description The open task that is due first. Needs tasks.readonly; null without it. */
        next_task: components["schemas"]["NextTask"] | null;
        /** @description Do not disturb: automated messages are not sent. */
        dnd: boolean;
        company: string | null;
        address1: string | null;
        city: string | null;
        state: string | null;
        zip: string | null;
        timezone: string | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        external_ref: string | null;
        /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
        custom_fields?: {
          [key: string]: string | number | boolean | string[] | null;
        };
        merged_contact_id?: number;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event contact.deleted. */
    ContactDeletedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "contact.deleted";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description First and last name, or else the e-mail address, or else the phone number. */
        name: string;
        first_name: string;
        last_name: string;
        email: string | null;
        phone_display: string | null;
        interest: string | null;
        source: string | null;
        owner: components["schemas"]["Person"] | null;
        tags: components["schemas"]["Tag"][];
        /** @description The stage of the newest open opportunity, or else of the newest closed one. Needs opportunities.readonly; null without it. */
        stage: components["schemas"]["Stage"] | null;
        /** @description The value of the same opportunity; 0 if there is none. Needs opportunities.readonly; 0 without it. */
        value_cents: number;
        /** Format: date-time */
        last_activity_at: string | null;
        /** @description The open task that is due first. Needs tasks.readonly; null without it. */
        next_task: components["schemas"]["NextTask"] | null;
        /** @description Do not disturb: automated messages are not sent. */
        dnd: boolean;
        company: string | null;
        address1: string | null;
        city: string | null;
        state: string | null;
        zip: string | null;
        timezone: string | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        external_ref: string | null;
        /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
        custom_fields?: {
          [key: string]: string | number | boolean | string[] | null;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event contact.tag_added. */
    ContactTagAddedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "contact.tag_added";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description First and last name, or else the e-mail address, or else the phone number. */
        name: string;
        first_name: string;
        last_name: string;
        email: string | null;
        phone_display: string | null;
        interest: string | null;
        source: string | null;
        owner: components["schemas"]["Person"] | null;
        tags: components["schemas"]["Tag"][];
        /** @description The stage of the newest open opportunity, or else of the newest closed one. Needs opportunities.readonly; null without it. */
        stage: components["schemas"]["Stage"] | null;
        /** @description The value of the same opportunity; 0 if there is none. Needs opportunities.readonly; 0 without it. */
        value_cents: number;
        /** Format: date-time */
        last_activity_at: string | null;
        /** @description The open task that is due first. Needs tasks.readonly; null without it. */
        next_task: components["schemas"]["NextTask"] | null;
        /** @description Do not disturb: automated messages are not sent. */
        dnd: boolean;
        company: string | null;
        address1: string | null;
        city: string | null;
        state: string | null;
        zip: string | null;
        timezone: string | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        external_ref: string | null;
        /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
        custom_fields?: {
          [key: string]: string | number | boolean | string[] | null;
        };
        tag: components["schemas"]["Tag"];
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event contact.tag_removed. */
    ContactTagRemovedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "contact.tag_removed";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description First and last name, or else the e-mail address, or else the phone number. */
        name: string;
        first_name: string;
        last_name: string;
        email: string | null;
        phone_display: string | null;
        interest: string | null;
        source: string | null;
        owner: components["schemas"]["Person"] | null;
        tags: components["schemas"]["Tag"][];
        /** @description The stage of the newest open opportunity, or else of the newest closed one. Needs opportunities.readonly; null without it. */
        stage: components["schemas"]["Stage"] | null;
        /** @description The value of the same opportunity; 0 if there is none. Needs opportunities.readonly; 0 without it. */
        value_cents: number;
        /** Format: date-time */
        last_activity_at: string | null;
        /** @description The open task that is due first. Needs tasks.readonly; null without it. */
        next_task: components["schemas"]["NextTask"] | null;
        /** @description Do not disturb: automated messages are not sent. */
        dnd: boolean;
        company: string | null;
        address1: string | null;
        city: string | null;
        state: string | null;
        zip: string | null;
        timezone: string | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        external_ref: string | null;
        /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
        custom_fields?: {
          [key: string]: string | number | boolean | string[] | null;
        };
        tag: components["schemas"]["Tag"];
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event note.added. */
    NoteAddedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "note.added";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        body: string;
        pinned: boolean;
        /** @description The author; for an app, the person who installed it; null for an API key or a workflow. */
        user: components["schemas"]["Person"] | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event opportunity.created. */
    OpportunityCreatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "opportunity.created";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description Null once the contact is deleted. */
        contact: components["schemas"]["NamedContact"] | null;
        pipeline: components["schemas"]["PipelineReference"] | null;
        stage: components["schemas"]["Stage"];
        name: string | null;
        value_cents: number;
        owner: components["schemas"]["Person"] | null;
        /**
         * @description The kind of the stage.
         * @enum {string}
         */
        status: "open" | "won" | "lost";
        lost_reason: string | null;
        /** Format: date-time */
        stage_entered_at: string | null;
        /**
         * Format: date-time
         * @description When it was won or lost.
         */
        closed_at: string | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
        custom_fields?: {
          [key: string]: string | number | boolean | string[] | null;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event opportunity.stage_changed. */
    OpportunityStageChangedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "opportunity.stage_changed";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description Null once the contact is deleted. */
        contact: components["schemas"]["NamedContact"] | null;
        pipeline: components["schemas"]["PipelineReference"] | null;
        stage: components["schemas"]["Stage"];
        name: string | null;
        value_cents: number;
        owner: components["schemas"]["Person"] | null;
        /**
         * @description The kind of the stage.
         * @enum {string}
         */
        status: "open" | "won" | "lost";
        lost_reason: string | null;
        /** Format: date-time */
        stage_entered_at: string | null;
        /**
         * Format: date-time
         * @description When it was won or lost.
         */
        closed_at: string | null;
        /** Format: date-time */
        created_at: string | null;
        /** Format: date-time */
        updated_at: string | null;
        /** @description By key, null without a value; only where the workspace defines custom fields of this kind of record. */
        custom_fields?: {
          [key: string]: string | number | boolean | string[] | null;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event task.created. */
    TaskCreatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "task.created";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        title: string;
        /** Format: date-time */
        due_at: string | null;
        /** @description Whether the task is open and past its due date. */
        overdue: boolean;
        /** @description Null for a task without a contact, and once the contact is deleted. */
        contact: components["schemas"]["NamedContact"] | null;
        /** Format: date-time */
        completed_at: string | null;
        /** @description The person that the task is assigned to. */
        assignee: components["schemas"]["Person"] | null;
        /** @description The creator; for an app, the person who installed it; null for an API key or a workflow. */
        created_by: components["schemas"]["Person"] | null;
        /** Format: date-time */
        created_at: string | null;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event task.completed. */
    TaskCompletedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "task.completed";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        title: string;
        /** Format: date-time */
        due_at: string | null;
        /** @description Whether the task is open and past its due date. */
        overdue: boolean;
        /** @description Null for a task without a contact, and once the contact is deleted. */
        contact: components["schemas"]["NamedContact"] | null;
        /** Format: date-time */
        completed_at: string | null;
        /** @description The person that the task is assigned to. */
        assignee: components["schemas"]["Person"] | null;
        /** @description The creator; for an app, the person who installed it; null for an API key or a workflow. */
        created_by: components["schemas"]["Person"] | null;
        /** Format: date-time */
        created_at: string | null;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event page.viewed. */
    PageViewedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "page.viewed";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event form.submitted. */
    FormSubmittedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "form.submitted";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event survey.submitted. */
    SurveySubmittedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "survey.submitted";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event quiz.submitted. */
    QuizSubmittedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "quiz.submitted";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event trigger_link.clicked. */
    TriggerLinkClickedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "trigger_link.clicked";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event review.received. */
    ReviewReceivedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "review.received";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event review.replied. */
    ReviewRepliedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "review.replied";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event review_request.sent. */
    ReviewRequestSentEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "review_request.sent";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event review_request.clicked. */
    ReviewRequestClickedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "review_request.clicked";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event video_testimonial.received. */
    VideoTestimonialReceivedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "video_testimonial.received";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event social_post.published. */
    SocialPostPublishedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "social_post.published";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event social_post.failed. */
    SocialPostFailedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "social_post.failed";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event social_post.approved. */
    SocialPostApprovedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "social_post.approved";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event invoice.paid. */
    InvoicePaidEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "invoice.paid";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event payment.failed. */
    PaymentFailedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "payment.failed";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event appointment.booked. */
    AppointmentBookedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "appointment.booked";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event appointment.cancelled. */
    AppointmentCancelledEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "appointment.cancelled";
      /** Format: date-time */
      created_at: string;
      data: {
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * Format: date-time
         * @description When the event happened, if the tool reported a time.
         */
        occurred_at: string | null;
        location_id: number;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description The event conversation.created. */
    ConversationCreatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "conversation.created";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description Null while the contact is unknown, and once it is deleted. */
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * @description The kind of its channel.
         * @enum {string}
         */
        kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
        channel: components["schemas"]["ChannelReference"] | null;
        /** @enum {string} */
        status: "open" | "snoozed" | "closed";
        /** Format: date-time */
        snoozed_until: string | null;
        assignee: components["schemas"]["Person"] | null;
        /** @description The beginning of the last message, inbound or outbound. */
        preview: string | null;
        /** Format: date-time */
        last_message_at: string | null;
        /** Format: date-time */
        last_inbound_at: string | null;
        unread: boolean;
        unread_count: number;
        subject: string | null;
        /** @description The only contact that matches an unknown sender. PATCH with contact_id confirms it. */
        possible_match: {
          id: number;
          name: string;
        } | null;
        /**
         * @description The message was generated automatically, such as an out-of-office reply. It starts and wakes no workflow.
         * @constant
         */
        automatic?: true;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event conversation.updated. */
    ConversationUpdatedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "conversation.updated";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        /** @description Null while the contact is unknown, and once it is deleted. */
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        /**
         * @description The kind of its channel.
         * @enum {string}
         */
        kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
        channel: components["schemas"]["ChannelReference"] | null;
        /** @enum {string} */
        status: "open" | "snoozed" | "closed";
        /** Format: date-time */
        snoozed_until: string | null;
        assignee: components["schemas"]["Person"] | null;
        /** @description The beginning of the last message, inbound or outbound. */
        preview: string | null;
        /** Format: date-time */
        last_message_at: string | null;
        /** Format: date-time */
        last_inbound_at: string | null;
        unread: boolean;
        unread_count: number;
        subject: string | null;
        /** @description The only contact that matches an unknown sender. PATCH with contact_id confirms it. */
        possible_match: {
          id: number;
          name: string;
        } | null;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event message.received. */
    MessageReceivedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "message.received";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        conversation_id: number;
        /** @enum {string} */
        direction: "inbound" | "outbound";
        /**
         * @description A note is internal; system reports a change of the conversation.
         * @enum {string}
         */
        kind: "text" | "note" | "system" | "call";
        body: string | null;
        html: string | null;
        subject: string | null;
        from_address: string | null;
        to_address: string | null;
        /** @enum {string} */
        status: "received" | "queued" | "sent" | "delivered" | "read" | "failed";
        /** @description The reason of a failure; for a queued message, the reason of the last failed attempt. */
        error: string | null;
        /** @description The author; for an app, the person who installed it; null for an API key, a workflow or the contact. */
        author: components["schemas"]["Person"] | null;
        /** Format: date-time */
        sent_at: string | null;
        /** Format: date-time */
        delivered_at: string | null;
        /** Format: date-time */
        created_at: string | null;
        ai_generated: boolean;
        attachments: components["schemas"]["Attachment"][];
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        channel: {
          id: number;
          /** @enum {string} */
          kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
          name: string;
        };
        /**
         * @description The message was generated automatically, such as an out-of-office reply. It starts and wakes no workflow.
         * @constant
         */
        automatic?: true;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event message.sent. */
    MessageSentEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "message.sent";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        conversation_id: number;
        /** @enum {string} */
        direction: "inbound" | "outbound";
        /**
         * @description A note is internal; system reports a change of the conversation.
         * @enum {string}
         */
        kind: "text" | "note" | "system" | "call";
        body: string | null;
        html: string | null;
        subject: string | null;
        from_address: string | null;
        to_address: string | null;
        /** @enum {string} */
        status: "received" | "queued" | "sent" | "delivered" | "read" | "failed";
        /** @description The reason of a failure; for a queued message, the reason of the last failed attempt. */
        error: string | null;
        /** @description The author; for an app, the person who installed it; null for an API key, a workflow or the contact. */
        author: components["schemas"]["Person"] | null;
        /** Format: date-time */
        sent_at: string | null;
        /** Format: date-time */
        delivered_at: string | null;
        /** Format: date-time */
        created_at: string | null;
        ai_generated: boolean;
        attachments: components["schemas"]["Attachment"][];
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        channel: {
          id: number;
          /** @enum {string} */
          kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
          name: string;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event message.failed. */
    MessageFailedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "message.failed";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        conversation_id: number;
        /** @enum {string} */
        direction: "inbound" | "outbound";
        /**
         * @description A note is internal; system reports a change of the conversation.
         * @enum {string}
         */
        kind: "text" | "note" | "system" | "call";
        body: string | null;
        html: string | null;
        subject: string | null;
        from_address: string | null;
        to_address: string | null;
        /** @enum {string} */
        status: "received" | "queued" | "sent" | "delivered" | "read" | "failed";
        /** @description The reason of a failure; for a queued message, the reason of the last failed attempt. */
        error: string | null;
        /** @description The author; for an app, the person who installed it; null for an API key, a workflow or the contact. */
        author: components["schemas"]["Person"] | null;
        /** Format: date-time */
        sent_at: string | null;
        /** Format: date-time */
        delivered_at: string | null;
        /** Format: date-time */
        created_at: string | null;
        ai_generated: boolean;
        attachments: components["schemas"]["Attachment"][];
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        } | null;
        channel: {
          id: number;
          /** @enum {string} */
          kind: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
          name: string;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event workflow.run_started. */
    WorkflowRunStartedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "workflow.run_started";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        workflow_id: number;
        contact_id: number;
        /** @enum {string} */
        status: "active" | "waiting" | "completed" | "failed" | "canceled";
        /** @description The next node, the one at which the run waits, or the one at which it ended. */
        current_node_id: string | null;
        /** @enum {string} */
        wait_reason: "none" | "delay" | "until" | "reply" | "event" | "channel";
        /**
         * Format: date-time
         * @description When the wait ends or times out.
         */
        wake_at: string | null;
        /** @enum {unknown} */
        ended_reason:
          | "finished"
          | "goal_met"
          | "replied"
          | "exited"
          | "removed"
          | "contact_deleted"
          | "workflow_unpublished"
          | "dnd"
          | "error"
          | null;
        /** Format: date-time */
        enrolled_at: string;
        /**
         * Format: date-time
         * @description When the run ended, for any reason.
         */
        completed_at: string | null;
        workflow: {
          id: number;
          name: string;
        };
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        };
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    /** @description The event workflow.run_finished. */
    WorkflowRunFinishedEvent: {
      /** @description The id of the delivery: ignore one that you have processed. */
      id: number;
      /** @constant */
      event: "workflow.run_finished";
      /** Format: date-time */
      created_at: string;
      data: {
        id: number;
        workflow_id: number;
        contact_id: number;
        /** @enum {string} */
        status: "active" | "waiting" | "completed" | "failed" | "canceled";
        /** @description The next node, the one at which the run waits, or the one at which it ended. */
        current_node_id: string | null;
        /** @enum {string} */
        wait_reason: "none" | "delay" | "until" | "reply" | "event" | "channel";
        /**
         * Format: date-time
         * @description When the wait ends or times out.
         */
        wake_at: string | null;
        /** @enum {unknown} */
        ended_reason:
          | "finished"
          | "goal_met"
          | "replied"
          | "exited"
          | "removed"
          | "contact_deleted"
          | "workflow_unpublished"
          | "dnd"
          | "error"
          | null;
        /** Format: date-time */
        enrolled_at: string;
        /**
         * Format: date-time
         * @description When the run ended, for any reason.
         */
        completed_at: string | null;
        workflow: {
          id: number;
          name: string;
        };
        contact: {
          id: number;
          name: string;
          /** @description Needs contacts.readonly; null without it. */
          phone_display: string | null;
          /** @description Needs contacts.readonly; null without it. */
          email: string | null;
        };
        /** @description Why the run failed. */
        error: string | null;
        location_id: number | null;
        changes?: {
          field: string;
          old: unknown;
          new: unknown;
        }[];
      };
    };
    GetCredentialQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListLocationsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListContactsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description Exactly this e-mail address, ignoring case. */
      email?: string;
      /** @description Exactly this phone number and extension, in any notation. */
      phone?: string;
      /** @description Parts of a name, an e-mail address or a phone number, separated by spaces. All must match: those of three or more characters anywhere, shorter ones at the beginning of a word. */
      search?: string;
      /**
       * @description URL-encoded JSON: a list of at most 20 conditions `{"field", "op", "value"}`, combined with AND.
       *     `{"any": [ … ]}` in place of a condition combines its conditions with OR. A plain object such as `{"city": "Boston"}` tests for equality.
       *
       *     - Ids: `id`, `owner_user_id`, `stage_id`, by `eq` `neq` `in` `nin` `is_null` `gt` `gte` `lt` `lte`.
       *     - Text: `name`, `first_name`, `last_name`, `email`, `phone`, `company`, `source`, `interest`, `address1`, `city`, `state`, `zip`, `timezone`, `external_ref`, `phone_display`, `stage_kind`, by `eq` `neq` `in` `nin` `is_null` `contains` `starts_with`.
       *     - `true` or `false`: `dnd`, `has_open_task`, by `eq` `neq` `in` `nin` `is_null`.
       *     - Whole numbers: `value_cents`, by `eq` `neq` `in` `nin` `is_null` `gt` `gte` `lt` `lte`.
       *     - Timestamps (ISO 8601 with an offset or `Z`): `created_at`, `updated_at`, `last_activity_at`, by `eq` `neq` `in` `nin` `is_null` `gt` `gte` `lt` `lte`.
       *     - The name of a tag, or its id: `tag`, by `eq` `neq` `in` `nin` `is_null` `contains` `starts_with`.
       *
       *     `in` and `nin` take a list of values, `is_null` takes `true` or `false`.
       */
      filters?:
        | string
        | {
            [key: string]: unknown;
          }[]
        | {
            [key: string]: unknown;
          };
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    UploadContactsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description Not used. */
      name?: string;
      /** @description Columns whose header is not recognized, as JSON: `{"Record ID": "external_ref", "Plan": "custom.plan", "Notes": ""}`; "" omits a column. */
      map?: string;
      /** @description Default: utf-8. */
      encoding?: string;
      /** @description Creates custom fields for columns without a field, with types that their first 1,000 values fit. Needs custom_fields.write. */
      create_fields?: boolean;
      /** @description Creates missing tags; otherwise rows that name one are refused. Needs tags.write. */
      create_tags?: boolean;
      /** @description Reports what would happen, and writes nothing. */
      dry_run?: boolean;
    };
    ListDuplicatesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetContactQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    DeleteContactQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description Removes everything that is known of the person, for good, also of a contact that was deleted or merged before. Not for apps; people need the role manager. */
      forget?: boolean;
    };
    OpenDossierQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListContactMergesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    RemoveContactTagQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    SearchQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description Words, parts of words, an e-mail address or a phone number. All must match: those of three or more characters anywhere, shorter ones at the beginning of a word. */
      q: string;
    };
    ListNotesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetNoteQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    DeleteNoteQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListOpportunitiesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description Only opportunities of this contact. */
      contact_id?: number;
      /** @description Only opportunities in this pipeline. */
      pipeline_id?: number;
      /** @description Only opportunities in this stage. */
      stage_id?: number;
      /** @description Only opportunities owned by this person. */
      owner_user_id?: number;
      /**
       * @description Only opportunities with this status.
       * @enum {string}
       */
      status?: "open" | "won" | "lost";
      /** @description Conditions on custom fields, as JSON: `[{"field": "custom.plan", "op": "eq", "value": "Pro"}]`. */
      filters?:
        | string
        | {
            [key: string]: unknown;
          }[]
        | {
            [key: string]: unknown;
          };
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetOpportunityQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    DeleteOpportunityQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListPipelinesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    DeletePipelineQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListTasksQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description Only tasks of this contact. */
      contact_id?: number;
      /** @description Only tasks assigned to this person. */
      assignee_user_id?: number;
      /** @description Only completed tasks, or only open ones. */
      completed?: boolean;
      /** @description Only open tasks past their due date, or only all others. */
      overdue?: boolean;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetTaskQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    DeleteTaskQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListConversationsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @enum {string} */
      status?: "open" | "snoozed" | "closed";
      /**
       * @description The kind of the channel.
       * @enum {string}
       */
      kind?: "call" | "email" | "sms" | "whatsapp" | "messenger" | "instagram" | "webchat" | "google";
      assignee_user_id?: number;
      /** @description Searches the contact's first name, last name and e-mail address. Three or more characters match anywhere; fewer match the beginning of a word. */
      search?: string;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetConversationQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    DeleteConversationQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListMessagesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    UploadAttachmentQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description The name of the file; a form has it in its part. */
      name?: string;
    };
    GetAttachmentQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListWorkflowsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetWorkflowQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    DeleteWorkflowQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListWorkflowRunsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /**
       * @description Runs with this status.
       * @enum {string}
       */
      status?: "active" | "waiting" | "completed" | "failed" | "canceled";
      /** @description Runs of this contact. */
      contact_id?: number;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetWorkflowRunQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    RemoveRunQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListChannelsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListCustomFieldsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    DeleteCustomFieldQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListTagsQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    DeleteTagQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListUsersQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    RemoveUserQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ReadEventLogQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description The `last_position` of the previous response. Omitted or 0: starts with the oldest event that is kept. `latest`: only events from now on. */
      after?: string | number;
      /** @description The maximum number of events to return. */
      limit?: number;
      /** @description Only events with these names, separated by commas. */
      event?: string;
    };
    GetSampleEventQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @enum {string} */
      event:
        | "ping"
        | "location.created"
        | "location.updated"
        | "user.invited"
        | "contact.created"
        | "contact.updated"
        | "contact.deleted"
        | "contact.tag_added"
        | "contact.tag_removed"
        | "opportunity.created"
        | "opportunity.stage_changed"
        | "task.created"
        | "task.completed"
        | "note.added"
        | "conversation.created"
        | "conversation.updated"
        | "message.received"
        | "message.sent"
        | "message.failed"
        | "workflow.run_started"
        | "workflow.run_finished"
        | "page.viewed"
        | "form.submitted"
        | "survey.submitted"
        | "quiz.submitted"
        | "trigger_link.clicked"
        | "review.received"
        | "review.replied"
        | "review_request.sent"
        | "review_request.clicked"
        | "video_testimonial.received"
        | "social_post.published"
        | "social_post.failed"
        | "social_post.approved"
        | "invoice.paid"
        | "payment.failed"
        | "appointment.booked"
        | "appointment.cancelled";
    };
    ListAuditEntriesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
      /** @description Only entries of this actor. */
      actor?: string;
      /** @description Only entries of this operation. */
      operation?: string;
      /**
       * Format: date-time
       * @description Only entries from this time on.
       */
      since?: string;
      /**
       * Format: date-time
       * @description Only entries before this time.
       */
      until?: string;
    };
    ListHooksQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
    };
    GetHookQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    RemoveHookQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
    ListDeliveriesQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
      /** @description `next_cursor` of the page before; left out for the first page. */
      cursor?: string;
      /**
       * @description Only failed deliveries.
       * @enum {string}
       */
      state?: "failed";
    };
    GetDeliveryQuery: {
      /** @description The location of the request; by default the client's. `null` leaves it out. */
      location_id?: number | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Credential = components["schemas"]["Credential"];
export type LocationList = components["schemas"]["LocationList"];
export type Location = components["schemas"]["Location"];
export type CreateLocationInput = components["schemas"]["CreateLocationInput"];
export type UpdateLocationInput = components["schemas"]["UpdateLocationInput"];
export type ContactList = components["schemas"]["ContactList"];
export type ContactSummary = components["schemas"]["ContactSummary"];
export type Person = components["schemas"]["Person"];
export type Tag = components["schemas"]["Tag"];
export type Stage = components["schemas"]["Stage"];
export type NextTask = components["schemas"]["NextTask"];
export type CreateContactInput = components["schemas"]["CreateContactInput"];
export type Contact = components["schemas"]["Contact"];
export type Opportunity = components["schemas"]["Opportunity"];
export type NamedContact = components["schemas"]["NamedContact"];
export type PipelineReference = components["schemas"]["PipelineReference"];
export type Task = components["schemas"]["Task"];
export type EmbeddedNote = components["schemas"]["EmbeddedNote"];
export type Conversation = components["schemas"]["Conversation"];
export type ChannelReference = components["schemas"]["ChannelReference"];
export type Activity = components["schemas"]["Activity"];
export type UpsertContactInput = components["schemas"]["UpsertContactInput"];
export type UpsertedContact = components["schemas"]["UpsertedContact"];
export type BulkContact = components["schemas"]["BulkContact"];
export type BulkUpsertContactsInput = components["schemas"]["BulkUpsertContactsInput"];
export type BulkContacts = components["schemas"]["BulkContacts"];
export type ImportReport = components["schemas"]["ImportReport"];
export type DuplicateList = components["schemas"]["DuplicateList"];
export type DuplicateGroup = components["schemas"]["DuplicateGroup"];
export type UpdateContactInput = components["schemas"]["UpdateContactInput"];
export type ContactErasure = components["schemas"]["ContactErasure"];
export type MergeContactsInput = components["schemas"]["MergeContactsInput"];
export type ContactMergeList = components["schemas"]["ContactMergeList"];
export type ContactMerge = components["schemas"]["ContactMerge"];
export type AddContactTagInput = components["schemas"]["AddContactTagInput"];
export type SearchResults = components["schemas"]["SearchResults"];
export type FoundContact = components["schemas"]["FoundContact"];
export type FoundConversation = components["schemas"]["FoundConversation"];
export type FoundOpportunity = components["schemas"]["FoundOpportunity"];
export type FoundTask = components["schemas"]["FoundTask"];
export type NoteList = components["schemas"]["NoteList"];
export type Note = components["schemas"]["Note"];
export type AddNoteInput = components["schemas"]["AddNoteInput"];
export type UpdateNoteInput = components["schemas"]["UpdateNoteInput"];
export type OpportunityList = components["schemas"]["OpportunityList"];
export type CreateOpportunityInput = components["schemas"]["CreateOpportunityInput"];
export type UpdateOpportunityInput = components["schemas"]["UpdateOpportunityInput"];
export type PipelineList = components["schemas"]["PipelineList"];
export type Pipeline = components["schemas"]["Pipeline"];
export type CreatePipelineInput = components["schemas"]["CreatePipelineInput"];
export type UpdatePipelineInput = components["schemas"]["UpdatePipelineInput"];
export type TaskList = components["schemas"]["TaskList"];
export type CreateTaskInput = components["schemas"]["CreateTaskInput"];
export type UpdateTaskInput = components["schemas"]["UpdateTaskInput"];
export type ConversationList = components["schemas"]["ConversationList"];
export type StartConversationInput = components["schemas"]["StartConversationInput"];
export type StartedConversation = components["schemas"]["StartedConversation"];
export type Message = components["schemas"]["Message"];
export type Attachment = components["schemas"]["Attachment"];
export type OpenedConversation = components["schemas"]["OpenedConversation"];
export type ShownMessage = components["schemas"]["ShownMessage"];
export type UpdateConversationInput = components["schemas"]["UpdateConversationInput"];
export type MessageList = components["schemas"]["MessageList"];
export type SendMessageInput = components["schemas"]["SendMessageInput"];
export type RetryMessageInput = components["schemas"]["RetryMessageInput"];
export type CancelMessageInput = components["schemas"]["CancelMessageInput"];
export type WorkflowList = components["schemas"]["WorkflowList"];
export type WorkflowItem = components["schemas"]["WorkflowItem"];
export type WorkflowDetail = components["schemas"]["WorkflowDetail"];
export type CreateWorkflowInput = components["schemas"]["CreateWorkflowInput"];
export type WrittenWorkflow = components["schemas"]["WrittenWorkflow"];
export type UpdateWorkflowInput = components["schemas"]["UpdateWorkflowInput"];
export type PublishWorkflowInput = components["schemas"]["PublishWorkflowInput"];
export type PublishedWorkflow = components["schemas"]["PublishedWorkflow"];
export type RotateWorkflowSecretInput = components["schemas"]["RotateWorkflowSecretInput"];
export type RotatedWorkflowSecret = components["schemas"]["RotatedWorkflowSecret"];
export type SetWorkflowSecretInput = components["schemas"]["SetWorkflowSecretInput"];
export type WorkflowSecrets = components["schemas"]["WorkflowSecrets"];
export type UnpublishWorkflowInput = components["schemas"]["UnpublishWorkflowInput"];
export type UnpublishedWorkflow = components["schemas"]["UnpublishedWorkflow"];
export type TryWorkflowInput = components["schemas"]["TryWorkflowInput"];
export type DryRun = components["schemas"]["DryRun"];
export type EnrollInput = components["schemas"]["EnrollInput"];
export type Enrollment = components["schemas"]["Enrollment"];
export type WorkflowRun = components["schemas"]["WorkflowRun"];
export type EnrolledContacts = components["schemas"]["EnrolledContacts"];
export type WorkflowRunList = components["schemas"]["WorkflowRunList"];
export type WorkflowRunItem = components["schemas"]["WorkflowRunItem"];
export type WorkflowRunDetail = components["schemas"]["WorkflowRunDetail"];
export type WorkflowRunStep = components["schemas"]["WorkflowRunStep"];
export type RetryRunInput = components["schemas"]["RetryRunInput"];
export type ChannelList = components["schemas"]["ChannelList"];
export type Channel = components["schemas"]["Channel"];
export type CreateChannelInput = components["schemas"]["CreateChannelInput"];
export type NewChannel = components["schemas"]["NewChannel"];
export type UpdateChannelInput = components["schemas"]["UpdateChannelInput"];
export type ChangedChannel = components["schemas"]["ChangedChannel"];
export type RotateInboundUrlInput = components["schemas"]["RotateInboundUrlInput"];
export type OpenChannel = components["schemas"]["OpenChannel"];
export type TestChannelInput = components["schemas"]["TestChannelInput"];
export type ChannelTest = components["schemas"]["ChannelTest"];
export type CustomFieldList = components["schemas"]["CustomFieldList"];
export type CustomField = components["schemas"]["CustomField"];
export type CreateCustomFieldInput = components["schemas"]["CreateCustomFieldInput"];
export type UpdateCustomFieldInput = components["schemas"]["UpdateCustomFieldInput"];
export type TagList = components["schemas"]["TagList"];
export type CreateTagInput = components["schemas"]["CreateTagInput"];
export type UpdateTagInput = components["schemas"]["UpdateTagInput"];
export type UserList = components["schemas"]["UserList"];
export type User = components["schemas"]["User"];
export type InviteUserInput = components["schemas"]["InviteUserInput"];
export type InvitedUser = components["schemas"]["InvitedUser"];
export type UpdateUserInput = components["schemas"]["UpdateUserInput"];
export type EventLog = components["schemas"]["EventLog"];
export type LoggedEvent = components["schemas"]["LoggedEvent"];
export type ReportEventInput = components["schemas"]["ReportEventInput"];
export type ReportedEvent = components["schemas"]["ReportedEvent"];
export type SampleEvent = components["schemas"]["SampleEvent"];
export type AuditEntryList = components["schemas"]["AuditEntryList"];
export type AuditEntry = components["schemas"]["AuditEntry"];
export type HookList = components["schemas"]["HookList"];
export type Hook = components["schemas"]["Hook"];
export type RegisterHookInput = components["schemas"]["RegisterHookInput"];
export type HookRegistration = components["schemas"]["HookRegistration"];
export type UpdateHookInput = components["schemas"]["UpdateHookInput"];
export type RotateHookSecretInput = components["schemas"]["RotateHookSecretInput"];
export type RotatedHookSecret = components["schemas"]["RotatedHookSecret"];
export type DeliveryList = components["schemas"]["DeliveryList"];
export type Delivery = components["schemas"]["Delivery"];
export type SentDelivery = components["schemas"]["SentDelivery"];
export type ReplayDeliveryInput = components["schemas"]["ReplayDeliveryInput"];
export type SendTestInput = components["schemas"]["SendTestInput"];
export type IssueTokensInput = components["schemas"]["IssueTokensInput"];
export type Tokens = components["schemas"]["Tokens"];
export type RevokeTokenInput = components["schemas"]["RevokeTokenInput"];
export type Revoked = components["schemas"]["Revoked"];
export type ReportPaymentInput = components["schemas"]["ReportPaymentInput"];
export type ReportTaken = components["schemas"]["ReportTaken"];
export type ReceiveMessageInput = components["schemas"]["ReceiveMessageInput"];
export type ReceivedMessage = components["schemas"]["ReceivedMessage"];
export type ReportReceiptInput = components["schemas"]["ReportReceiptInput"];
export type Receipt = components["schemas"]["Receipt"];
export type PingEvent = components["schemas"]["PingEvent"];
export type LocationCreatedEvent = components["schemas"]["LocationCreatedEvent"];
export type LocationUpdatedEvent = components["schemas"]["LocationUpdatedEvent"];
export type UserInvitedEvent = components["schemas"]["UserInvitedEvent"];
export type ContactCreatedEvent = components["schemas"]["ContactCreatedEvent"];
export type ContactUpdatedEvent = components["schemas"]["ContactUpdatedEvent"];
export type ContactDeletedEvent = components["schemas"]["ContactDeletedEvent"];
export type ContactTagAddedEvent = components["schemas"]["ContactTagAddedEvent"];
export type ContactTagRemovedEvent = components["schemas"]["ContactTagRemovedEvent"];
export type NoteAddedEvent = components["schemas"]["NoteAddedEvent"];
export type OpportunityCreatedEvent = components["schemas"]["OpportunityCreatedEvent"];
export type OpportunityStageChangedEvent = components["schemas"]["OpportunityStageChangedEvent"];
export type TaskCreatedEvent = components["schemas"]["TaskCreatedEvent"];
export type TaskCompletedEvent = components["schemas"]["TaskCompletedEvent"];
export type PageViewedEvent = components["schemas"]["PageViewedEvent"];
export type FormSubmittedEvent = components["schemas"]["FormSubmittedEvent"];
export type SurveySubmittedEvent = components["schemas"]["SurveySubmittedEvent"];
export type QuizSubmittedEvent = components["schemas"]["QuizSubmittedEvent"];
export type TriggerLinkClickedEvent = components["schemas"]["TriggerLinkClickedEvent"];
export type ReviewReceivedEvent = components["schemas"]["ReviewReceivedEvent"];
export type ReviewRepliedEvent = components["schemas"]["ReviewRepliedEvent"];
export type ReviewRequestSentEvent = components["schemas"]["ReviewRequestSentEvent"];
export type ReviewRequestClickedEvent = components["schemas"]["ReviewRequestClickedEvent"];
export type VideoTestimonialReceivedEvent = components["schemas"]["VideoTestimonialReceivedEvent"];
export type SocialPostPublishedEvent = components["schemas"]["SocialPostPublishedEvent"];
export type SocialPostFailedEvent = components["schemas"]["SocialPostFailedEvent"];
export type SocialPostApprovedEvent = components["schemas"]["SocialPostApprovedEvent"];
export type InvoicePaidEvent = components["schemas"]["InvoicePaidEvent"];
export type PaymentFailedEvent = components["schemas"]["PaymentFailedEvent"];
export type AppointmentBookedEvent = components["schemas"]["AppointmentBookedEvent"];
export type AppointmentCancelledEvent = components["schemas"]["AppointmentCancelledEvent"];
export type ConversationCreatedEvent = components["schemas"]["ConversationCreatedEvent"];
export type ConversationUpdatedEvent = components["schemas"]["ConversationUpdatedEvent"];
export type MessageReceivedEvent = components["schemas"]["MessageReceivedEvent"];
export type MessageSentEvent = components["schemas"]["MessageSentEvent"];
export type MessageFailedEvent = components["schemas"]["MessageFailedEvent"];
export type WorkflowRunStartedEvent = components["schemas"]["WorkflowRunStartedEvent"];
export type WorkflowRunFinishedEvent = components["schemas"]["WorkflowRunFinishedEvent"];
export type GetCredentialQuery = components["schemas"]["GetCredentialQuery"];
export type ListLocationsQuery = components["schemas"]["ListLocationsQuery"];
export type ListContactsQuery = components["schemas"]["ListContactsQuery"];
export type UploadContactsQuery = components["schemas"]["UploadContactsQuery"];
export type ListDuplicatesQuery = components["schemas"]["ListDuplicatesQuery"];
export type GetContactQuery = components["schemas"]["GetContactQuery"];
export type DeleteContactQuery = components["schemas"]["DeleteContactQuery"];
export type OpenDossierQuery = components["schemas"]["OpenDossierQuery"];
export type ListContactMergesQuery = components["schemas"]["ListContactMergesQuery"];
export type RemoveContactTagQuery = components["schemas"]["RemoveContactTagQuery"];
export type SearchQuery = components["schemas"]["SearchQuery"];
export type ListNotesQuery = components["schemas"]["ListNotesQuery"];
export type GetNoteQuery = components["schemas"]["GetNoteQuery"];
export type DeleteNoteQuery = components["schemas"]["DeleteNoteQuery"];
export type ListOpportunitiesQuery = components["schemas"]["ListOpportunitiesQuery"];
export type GetOpportunityQuery = components["schemas"]["GetOpportunityQuery"];
export type DeleteOpportunityQuery = components["schemas"]["DeleteOpportunityQuery"];
export type ListPipelinesQuery = components["schemas"]["ListPipelinesQuery"];
export type DeletePipelineQuery = components["schemas"]["DeletePipelineQuery"];
export type ListTasksQuery = components["schemas"]["ListTasksQuery"];
export type GetTaskQuery = components["schemas"]["GetTaskQuery"];
export type DeleteTaskQuery = components["schemas"]["DeleteTaskQuery"];
export type ListConversationsQuery = components["schemas"]["ListConversationsQuery"];
export type GetConversationQuery = components["schemas"]["GetConversationQuery"];
export type DeleteConversationQuery = components["schemas"]["DeleteConversationQuery"];
export type ListMessagesQuery = components["schemas"]["ListMessagesQuery"];
export type UploadAttachmentQuery = components["schemas"]["UploadAttachmentQuery"];
export type GetAttachmentQuery = components["schemas"]["GetAttachmentQuery"];
export type ListWorkflowsQuery = components["schemas"]["ListWorkflowsQuery"];
export type GetWorkflowQuery = components["schemas"]["GetWorkflowQuery"];
export type DeleteWorkflowQuery = components["schemas"]["DeleteWorkflowQuery"];
export type ListWorkflowRunsQuery = components["schemas"]["ListWorkflowRunsQuery"];
export type GetWorkflowRunQuery = components["schemas"]["GetWorkflowRunQuery"];
export type RemoveRunQuery = components["schemas"]["RemoveRunQuery"];
export type ListChannelsQuery = components["schemas"]["ListChannelsQuery"];
export type ListCustomFieldsQuery = components["schemas"]["ListCustomFieldsQuery"];
export type DeleteCustomFieldQuery = components["schemas"]["DeleteCustomFieldQuery"];
export type ListTagsQuery = components["schemas"]["ListTagsQuery"];
export type DeleteTagQuery = components["schemas"]["DeleteTagQuery"];
export type ListUsersQuery = components["schemas"]["ListUsersQuery"];
export type RemoveUserQuery = components["schemas"]["RemoveUserQuery"];
export type ReadEventLogQuery = components["schemas"]["ReadEventLogQuery"];
export type GetSampleEventQuery = components["schemas"]["GetSampleEventQuery"];
export type ListAuditEntriesQuery = components["schemas"]["ListAuditEntriesQuery"];
export type ListHooksQuery = components["schemas"]["ListHooksQuery"];
export type GetHookQuery = components["schemas"]["GetHookQuery"];
export type RemoveHookQuery = components["schemas"]["RemoveHookQuery"];
export type ListDeliveriesQuery = components["schemas"]["ListDeliveriesQuery"];
export type GetDeliveryQuery = components["schemas"]["GetDeliveryQuery"];
export type operations = Record<string, never>;
