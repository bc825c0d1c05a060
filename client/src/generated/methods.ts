/** @generated from the OpenAPI document by `npm run docs`; changes here are lost. */
import type { FileContent, Id, RequestOptions } from "../request-options.ts";
import type * as api from "./schemas.ts";

export interface CredentialsMethods {
  /**
   * Shows the credential of the request: its workspace, locations, scopes and rate limit.
   *
   * `GET /api/v1/me`
   */
  get(input?: api.GetCredentialQuery, options?: RequestOptions): Promise<api.Credential>;
}
export interface LocationsMethods {
  /**
   * Lists the locations that the credential has access to.
   *
   * `GET /api/v1/locations`
   */
  list(input?: api.ListLocationsQuery, options?: RequestOptions): Promise<api.LocationList>;
  /**
   * Creates a location with a default pipeline.
   * Needs the scope `locations.write`: Create and change locations.
   *
   * `POST /api/v1/locations`
   */
  create(input: api.CreateLocationInput, options?: RequestOptions): Promise<api.Location>;
  /**
   * Updates the given fields of a location.
   * Needs the scope `locations.write`: Create and change locations.
   *
   * `PATCH /api/v1/locations/{id}`
   */
  update(id: Id, input?: api.UpdateLocationInput, options?: RequestOptions): Promise<api.Location>;
}
export interface ContactsMethods {
  /**
   * Lists contacts, newest activity first.
   * Needs the scope `contacts.readonly`: See contacts with their notes, tags and activities.
   *
   * `GET /api/v1/contacts`
   */
  list(input?: api.ListContactsQuery, options?: RequestOptions): Promise<api.ContactList>;
  /** The same, page after page. */
  all(input?: api.ListContactsQuery, options?: RequestOptions): AsyncIterableIterator<api.ContactSummary>;
  /**
   * Creates a contact.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `POST /api/v1/contacts`
   */
  create(input: api.CreateContactInput, options?: RequestOptions): Promise<api.Contact>;
  /**
   * Updates the contact with the given email or phone, or creates one.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `POST /api/v1/contacts/upsert`
   */
  upsert(input?: api.UpsertContactInput, options?: RequestOptions): Promise<api.UpsertedContact>;
  /**
   * Upserts up to 200 contacts. Results are in the order sent.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `POST /api/v1/contacts/bulk`
   */
  bulkUpsert(input: api.BulkUpsertContactsInput, options?: RequestOptions): Promise<api.BulkContacts>;
  /**
   * Imports contacts from a CSV file, which may create custom fields for its columns. It is safe to send again.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `POST /api/v1/contacts/import`
   */
  upload(file: FileContent, input?: api.UploadContactsQuery, options?: RequestOptions): Promise<api.ImportReport>;
  /**
   * Returns a contact with its opportunities, tasks, notes, conversations and activities.
   * Needs the scope `contacts.readonly`: See contacts with their notes, tags and activities.
   *
   * `GET /api/v1/contacts/{id}`
   */
  get(id: Id, input?: api.GetContactQuery, options?: RequestOptions): Promise<api.Contact>;
  /**
   * Updates the given fields of a contact.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `PATCH /api/v1/contacts/{id}`
   */
  update(id: Id, input?: api.UpdateContactInput, options?: RequestOptions): Promise<api.Contact>;
  /**
   * Deletes a contact. It no longer appears anywhere, and its external_ref stays reserved.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `DELETE /api/v1/contacts/{id}`
   */
  delete(id: Id, input?: api.DeleteContactQuery, options?: RequestOptions): Promise<api.ContactErasure | undefined>;
  /**
   * Returns everything that is known of a person as a ZIP archive. Needs the readonly scopes of conversations, events, opportunities, tasks and workflows, too; not for apps.
   * Needs the scope `contacts.readonly`: See contacts with their notes, tags and activities.
   *
   * `GET /api/v1/contacts/{id}/dossier`
   */
  openDossier(id: Id, input?: api.OpenDossierQuery, options?: RequestOptions): Promise<Response>;
  /**
   * Merges another contact into a contact, which keeps its values and takes those that it lacks.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `POST /api/v1/contacts/{id}/merge`
   */
  merge(id: Id, input: api.MergeContactsInput, options?: RequestOptions): Promise<api.Contact>;
  /**
   * Adds a tag of the workspace to a contact.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `POST /api/v1/contacts/{id}/tags`
   */
  addTag(id: Id, input?: api.AddContactTagInput, options?: RequestOptions): Promise<api.Contact>;
  /**
   * Removes a tag from a contact.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `DELETE /api/v1/contacts/{id}/tags/{tagId}`
   */
  removeTag(id: Id, tagId: Id, input?: api.RemoveContactTagQuery, options?: RequestOptions): Promise<api.Contact>;
}
export interface DuplicatesMethods {
  /**
   * Lists groups of contacts that may be one person, by email, phone or name.
   * Needs the scope `contacts.readonly`: See contacts with their notes, tags and activities.
   *
   * `GET /api/v1/contacts/duplicates`
   */
  list(input?: api.ListDuplicatesQuery, options?: RequestOptions): Promise<api.DuplicateList>;
  /** The same, page after page. */
  all(input?: api.ListDuplicatesQuery, options?: RequestOptions): AsyncIterableIterator<api.DuplicateGroup>;
}
export interface ContactMergesMethods {
  /**
   * Lists the contacts that were merged into a contact, and whether all their records were moved.
   * Needs the scope `contacts.readonly`: See contacts with their notes, tags and activities.
   *
   * `GET /api/v1/contacts/{id}/merges`
   */
  list(id: Id, input?: api.ListContactMergesQuery, options?: RequestOptions): Promise<api.ContactMergeList>;
  /** The same, page after page. */
  all(id: Id, input?: api.ListContactMergesQuery, options?: RequestOptions): AsyncIterableIterator<api.ContactMerge>;
}
export interface SearchMethods {
  /**
   * Finds contacts, conversations, opportunities and tasks by text, best first.
   *
   * `GET /api/v1/search`
   */
  search(input: api.SearchQuery, options?: RequestOptions): Promise<api.SearchResults>;
}
export interface NotesMethods {
  /**
   * Lists the notes of a contact in full, newest first.
   * Needs the scope `contacts.readonly`: See contacts with their notes, tags and activities.
   *
   * `GET /api/v1/contacts/{id}/notes`
   */
  list(id: Id, input?: api.ListNotesQuery, options?: RequestOptions): Promise<api.NoteList>;
  /** The same, page after page. */
  all(id: Id, input?: api.ListNotesQuery, options?: RequestOptions): AsyncIterableIterator<api.Note>;
  /**
   * Adds a note to a contact.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `POST /api/v1/contacts/{id}/notes`
   */
  add(id: Id, input: api.AddNoteInput, options?: RequestOptions): Promise<api.Note>;
  /**
   * Returns a note in full.
   * Needs the scope `contacts.readonly`: See contacts with their notes, tags and activities.
   *
   * `GET /api/v1/contacts/{id}/notes/{noteId}`
   */
  get(id: Id, noteId: Id, input?: api.GetNoteQuery, options?: RequestOptions): Promise<api.Note>;
  /**
   * Updates the text of a note, or pins it.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `PATCH /api/v1/contacts/{id}/notes/{noteId}`
   */
  update(id: Id, noteId: Id, input?: api.UpdateNoteInput, options?: RequestOptions): Promise<api.Note>;
  /**
   * Deletes a note.
   * Needs the scope `contacts.write`: Create, change and delete contacts, add notes to them, and add or remove their tags.
   *
   * `DELETE /api/v1/contacts/{id}/notes/{noteId}`
   */
  delete(id: Id, noteId: Id, input?: api.DeleteNoteQuery, options?: RequestOptions): Promise<void>;
}
export interface OpportunitiesMethods {
  /**
   * Lists opportunities, newest first.
   * Needs the scope `opportunities.readonly`: See opportunities, pipelines and stages.
   *
   * `GET /api/v1/opportunities`
   */
  list(input?: api.ListOpportunitiesQuery, options?: RequestOptions): Promise<api.OpportunityList>;
  /** The same, page after page. */
  all(input?: api.ListOpportunitiesQuery, options?: RequestOptions): AsyncIterableIterator<api.Opportunity>;
  /**
   * Creates an opportunity for a contact in a stage.
   * Needs the scope `opportunities.write`: Create, change and delete opportunities, pipelines and stages.
   *
   * `POST /api/v1/opportunities`
   */
  create(input: api.CreateOpportunityInput, options?: RequestOptions): Promise<api.Opportunity>;
  /**
   * Returns an opportunity.
   * Needs the scope `opportunities.readonly`: See opportunities, pipelines and stages.
   *
   * `GET /api/v1/opportunities/{id}`
   */
  get(id: Id, input?: api.GetOpportunityQuery, options?: RequestOptions): Promise<api.Opportunity>;
  /**
   * Updates the given fields of an opportunity, such as its stage.
   * Needs the scope `opportunities.write`: Create, change and delete opportunities, pipelines and stages.
   *
   * `PATCH /api/v1/opportunities/{id}`
   */
  update(id: Id, input?: api.UpdateOpportunityInput, options?: RequestOptions): Promise<api.Opportunity>;
  /**
   * Deletes an opportunity.
   * Needs the scope `opportunities.write`: Create, change and delete opportunities, pipelines and stages.
   *
   * `DELETE /api/v1/opportunities/{id}`
   */
  delete(id: Id, input?: api.DeleteOpportunityQuery, options?: RequestOptions): Promise<void>;
}
export interface PipelinesMethods {
  /**
   * Lists the pipelines of the location with their stages, oldest first.
   * Needs the scope `opportunities.readonly`: See opportunities, pipelines and stages.
   *
   * `GET /api/v1/pipelines`
   */
  list(input?: api.ListPipelinesQuery, options?: RequestOptions): Promise<api.PipelineList>;
  /** The same, page after page. */
  all(input?: api.ListPipelinesQuery, options?: RequestOptions): AsyncIterableIterator<api.Pipeline>;
  /**
   * Creates a pipeline with its stages.
   * Needs the scope `opportunities.write`: Create, change and delete opportunities, pipelines and stages.
   *
   * `POST /api/v1/pipelines`
   */
  create(input: api.CreatePipelineInput, options?: RequestOptions): Promise<api.Pipeline>;
  /**
   * Renames a pipeline, or changes, orders, adds and removes its stages.
   * Needs the scope `opportunities.write`: Create, change and delete opportunities, pipelines and stages.
   *
   * `PATCH /api/v1/pipelines/{id}`
   */
  update(id: Id, input?: api.UpdatePipelineInput, options?: RequestOptions): Promise<api.Pipeline>;
  /**
   * Deletes a pipeline without opportunities. A location keeps at least one pipeline.
   * Needs the scope `opportunities.write`: Create, change and delete opportunities, pipelines and stages.
   *
   * `DELETE /api/v1/pipelines/{id}`
   */
  delete(id: Id, input?: api.DeletePipelineQuery, options?: RequestOptions): Promise<void>;
}
export interface TasksMethods {
  /**
   * Lists tasks, ordered by due date.
   * Needs the scope `tasks.readonly`: See tasks.
   *
   * `GET /api/v1/tasks`
   */
  list(input?: api.ListTasksQuery, options?: RequestOptions): Promise<api.TaskList>;
  /** The same, page after page. */
  all(input?: api.ListTasksQuery, options?: RequestOptions): AsyncIterableIterator<api.Task>;
  /**
   * Creates a task, with or without a contact.
   * Needs the scope `tasks.write`: Create, change and complete tasks.
   *
   * `POST /api/v1/tasks`
   */
  create(input: api.CreateTaskInput, options?: RequestOptions): Promise<api.Task>;
  /**
   * Returns a task.
   * Needs the scope `tasks.readonly`: See tasks.
   *
   * `GET /api/v1/tasks/{id}`
   */
  get(id: Id, input?: api.GetTaskQuery, options?: RequestOptions): Promise<api.Task>;
  /**
   * Updates the given fields of a task; also completes or reopens it.
   * Needs the scope `tasks.write`: Create, change and complete tasks.
   *
   * `PATCH /api/v1/tasks/{id}`
   */
  update(id: Id, input?: api.UpdateTaskInput, options?: RequestOptions): Promise<api.Task>;
  /**
   * Deletes a task.
   * Needs the scope `tasks.write`: Create, change and complete tasks.
   *
   * `DELETE /api/v1/tasks/{id}`
   */
  delete(id: Id, input?: api.DeleteTaskQuery, options?: RequestOptions): Promise<void>;
}
export interface ConversationsMethods {
  /**
   * Lists conversations, newest message first.
   * Needs the scope `conversations.readonly`: See conversations and their messages.
   *
   * `GET /api/v1/conversations`
   */
  list(input?: api.ListConversationsQuery, options?: RequestOptions): Promise<api.ConversationList>;
  /** The same, page after page. */
  all(input?: api.ListConversationsQuery, options?: RequestOptions): AsyncIterableIterator<api.Conversation>;
  /**
   * Starts a conversation with a contact on a channel, or continues the one that is not closed.
   * Needs the scope `conversations.write`: Start, change and delete conversations, and send messages.
   *
   * `POST /api/v1/conversations`
   */
  start(input: api.StartConversationInput, options?: RequestOptions): Promise<api.StartedConversation>;
  /**
   * Returns a conversation with its last hundred messages, oldest first.
   * Needs the scope `conversations.readonly`: See conversations and their messages.
   *
   * `GET /api/v1/conversations/{id}`
   */
  get(id: Id, input?: api.GetConversationQuery, options?: RequestOptions): Promise<api.OpenedConversation>;
  /**
   * Opens, snoozes, closes or assigns a conversation, marks it as read, or sets its contact.
   * Needs the scope `conversations.write`: Start, change and delete conversations, and send messages.
   *
   * `PATCH /api/v1/conversations/{id}`
   */
  update(id: Id, input?: api.UpdateConversationInput, options?: RequestOptions): Promise<api.Conversation>;
  /**
   * Deletes a conversation with its messages. Queued messages are canceled.
   * Needs the scope `conversations.write`: Start, change and delete conversations, and send messages.
   *
   * `DELETE /api/v1/conversations/{id}`
   */
  delete(id: Id, input?: api.DeleteConversationQuery, options?: RequestOptions): Promise<void>;
}
export interface MessagesMethods {
  /**
   * Lists the messages of a conversation in full, newest first.
   * Needs the scope `conversations.readonly`: See conversations and their messages.
   *
   * `GET /api/v1/conversations/{id}/messages`
   */
  list(id: Id, input?: api.ListMessagesQuery, options?: RequestOptions): Promise<api.MessageList>;
  /** The same, page after page. */
  all(id: Id, input?: api.ListMessagesQuery, options?: RequestOptions): AsyncIterableIterator<api.Message>;
  /**
   * Sends a message in a conversation, or adds an internal note.
   * Needs the scope `conversations.write`: Start, change and delete conversations, and send messages.
   *
   * `POST /api/v1/conversations/{id}/messages`
   */
  send(id: Id, input: api.SendMessageInput, options?: RequestOptions): Promise<api.Message>;
  /**
   * Sends a failed message again, after the messages of its conversation that still wait.
   * Needs the scope `conversations.write`: Start, change and delete conversations, and send messages.
   *
   * `POST /api/v1/conversations/{id}/messages/{messageId}/retry`
   */
  retry(id: Id, messageId: Id, input?: api.RetryMessageInput, options?: RequestOptions): Promise<api.Message>;
  /**
   * Cancels a queued message: it fails, and the next message of its conversation follows.
   * Needs the scope `conversations.write`: Start, change and delete conversations, and send messages.
   *
   * `POST /api/v1/conversations/{id}/messages/{messageId}/cancel`
   */
  cancel(id: Id, messageId: Id, input?: api.CancelMessageInput, options?: RequestOptions): Promise<api.Message>;
  /**
   * Accepts an inbound message from the channel's provider.
   * The secret URL of the channel is the credential. A repeated `external_id` is the same message. A channel of the kind email also accepts the raw mail, as `message/rfc822`: a repeated Message-ID is the same message, and a bounce fails the message that it names.
   *
   * `POST /inbound/{token}`
   */
  receive(token: Id, input: api.ReceiveMessageInput, options?: RequestOptions): Promise<api.ReceivedMessage>;
}
export interface AttachmentsMethods {
  /**
   * Uploads a file, to be sent with a message within a day.
   * Needs the scope `conversations.write`: Start, change and delete conversations, and send messages.
   *
   * `POST /api/v1/attachments`
   */
  upload(file: FileContent, input?: api.UploadAttachmentQuery, options?: RequestOptions): Promise<api.Attachment>;
  /**
   * Returns an attachment with a new URL.
   * Needs the scope `conversations.readonly`: See conversations and their messages.
   *
   * `GET /api/v1/attachments/{id}`
   */
  get(id: Id, input?: api.GetAttachmentQuery, options?: RequestOptions): Promise<api.Attachment>;
}
export interface WorkflowsMethods {
  /**
   * Lists the workflows of a location, oldest first.
   * Needs the scope `workflows.readonly`: See workflows and their runs.
   *
   * `GET /api/v1/workflows`
   */
  list(input?: api.ListWorkflowsQuery, options?: RequestOptions): Promise<api.WorkflowList>;
  /** The same, page after page. */
  all(input?: api.ListWorkflowsQuery, options?: RequestOptions): AsyncIterableIterator<api.WorkflowItem>;
  /**
   * Creates a workflow, which is a draft until it is published.
   * Needs the scope `workflow_definitions.write`: Create, change, publish and delete workflows that do what the key itself may do.
   *
   * `POST /api/v1/workflows`
   */
  create(input: api.CreateWorkflowInput, options?: RequestOptions): Promise<api.WrittenWorkflow>;
  /**
   * Shows a workflow with its definition, and the number of active runs at each node.
   * Needs the scope `workflows.readonly`: See workflows and their runs.
   *
   * `GET /api/v1/workflows/{id}`
   */
  get(id: Id, input?: api.GetWorkflowQuery, options?: RequestOptions): Promise<api.WorkflowDetail>;
  /**
   * Changes the given fields of a workflow. A new definition takes effect when it is published.
   * Needs the scope `workflow_definitions.write`: Create, change, publish and delete workflows that do what the key itself may do.
   *
   * `PATCH /api/v1/workflows/{id}`
   */
  update(id: Id, input?: api.UpdateWorkflowInput, options?: RequestOptions): Promise<api.WrittenWorkflow>;
  /**
   * Deletes a workflow with its versions and its runs; active ones end first.
   * Needs the scope `workflow_definitions.write`: Create, change, publish and delete workflows that do what the key itself may do.
   *
   * `DELETE /api/v1/workflows/{id}`
   */
  delete(id: Id, input?: api.DeleteWorkflowQuery, options?: RequestOptions): Promise<void>;
  /**
   * Publishes the draft of a workflow: new runs use it.
   * Needs the scope `workflow_definitions.write`: Create, change, publish and delete workflows that do what the key itself may do.
   *
   * `POST /api/v1/workflows/{id}/publish`
   */
  publish(id: Id, input?: api.PublishWorkflowInput, options?: RequestOptions): Promise<api.PublishedWorkflow>;
  /**
   * Replaces the secret that signs the posts of a workflow; the old one may also sign for a while.
   * Needs the scope `workflows.write`: Enroll contacts in workflows, end their runs, and unpublish workflows.
   *
   * `POST /api/v1/workflows/{id}/rotate-secret`
   */
  rotateSecret(
    id: Id,
    input?: api.RotateWorkflowSecretInput,
    options?: RequestOptions,
  ): Promise<api.RotatedWorkflowSecret>;
  /**
   * Adds, replaces or removes a secret that headers of a workflow's posts take, and lists those that there are.
   * Needs the scope `workflows.write`: Enroll contacts in workflows, end their runs, and unpublish workflows.
   *
   * `POST /api/v1/workflows/{id}/secrets`
   */
  setSecret(id: Id, input: api.SetWorkflowSecretInput, options?: RequestOptions): Promise<api.WorkflowSecrets>;
  /**
   * Unpublishes a workflow: its runs end, and contacts are no longer enrolled.
   * Needs the scope `workflows.write`: Enroll contacts in workflows, end their runs, and unpublish workflows.
   *
   * `POST /api/v1/workflows/{id}/unpublish`
   */
  unpublish(id: Id, input?: api.UnpublishWorkflowInput, options?: RequestOptions): Promise<api.UnpublishedWorkflow>;
  /**
   * Performs a dry run of a workflow for a contact or an event: whether it would start, what would happen and when. Nothing is kept.
   * Needs the scope `workflow_definitions.write`: Create, change, publish and delete workflows that do what the key itself may do.
   *
   * `POST /api/v1/workflows/{id}/try`
   */
  try(id: Id, input?: api.TryWorkflowInput, options?: RequestOptions): Promise<api.DryRun>;
  /**
   * Starts a run of a workflow for a contact, or for each of several.
   * Needs the scope `workflows.write`: Enroll contacts in workflows, end their runs, and unpublish workflows.
   *
   * `POST /api/v1/workflows/{id}/enroll`
   */
  enroll(id: Id, input?: api.EnrollInput, options?: RequestOptions): Promise<api.Enrollment>;
}
export interface WorkflowRunsMethods {
  /**
   * Lists the runs of a workflow, newest first.
   * Needs the scope `workflows.readonly`: See workflows and their runs.
   *
   * `GET /api/v1/workflows/{id}/runs`
   */
  list(id: Id, input?: api.ListWorkflowRunsQuery, options?: RequestOptions): Promise<api.WorkflowRunList>;
  /** The same, page after page. */
  all(id: Id, input?: api.ListWorkflowRunsQuery, options?: RequestOptions): AsyncIterableIterator<api.WorkflowRunItem>;
  /**
   * Shows a run of a workflow, with its context and its last steps.
   * Needs the scope `workflows.readonly`: See workflows and their runs.
   *
   * `GET /api/v1/workflow-runs/{id}`
   */
  get(id: Id, input?: api.GetWorkflowRunQuery, options?: RequestOptions): Promise<api.WorkflowRunDetail>;
  /**
   * Ends a run, with the reason `removed`.
   * Needs the scope `workflows.write`: Enroll contacts in workflows, end their runs, and unpublish workflows.
   *
   * `DELETE /api/v1/workflow-runs/{id}`
   */
  remove(id: Id, input?: api.RemoveRunQuery, options?: RequestOptions): Promise<api.WorkflowRun>;
  /**
   * Retries a failed run: it continues at the node that failed.
   * Needs the scope `workflows.write`: Enroll contacts in workflows, end their runs, and unpublish workflows.
   *
   * `POST /api/v1/workflow-runs/{id}/retry`
   */
  retry(id: Id, input?: api.RetryRunInput, options?: RequestOptions): Promise<api.WorkflowRun>;
}
export interface ChannelsMethods {
  /**
   * Lists the channels of the location, by kind, then id.
   * Needs the scope `channels.readonly`: See channels.
   *
   * `GET /api/v1/channels`
   */
  list(input?: api.ListChannelsQuery, options?: RequestOptions): Promise<api.ChannelList>;
  /**
   * Creates a channel, and shows its inbound URL.
   * Needs the scope `channels.write`: Create, change and test channels, with their servers and passwords.
   *
   * `POST /api/v1/channels`
   */
  create(input: api.CreateChannelInput, options?: RequestOptions): Promise<api.NewChannel>;
  /**
   * Changes the given fields of a channel.
   * Needs the scope `channels.write`: Create, change and test channels, with their servers and passwords.
   *
   * `PATCH /api/v1/channels/{id}`
   */
  update(id: Id, input?: api.UpdateChannelInput, options?: RequestOptions): Promise<api.ChangedChannel>;
  /**
   * Rotates the inbound URL of a channel; the old one is invalid at once.
   * Needs the scope `channels.write`: Create, change and test channels, with their servers and passwords.
   *
   * `POST /api/v1/channels/{id}/rotate`
   */
  rotateInboundUrl(id: Id, input?: api.RotateInboundUrlInput, options?: RequestOptions): Promise<api.OpenChannel>;
  /**
   * Sends a test message by the transport of a channel, at once, without retries.
   * Needs the scope `channels.write`: Create, change and test channels, with their servers and passwords.
   *
   * `POST /api/v1/channels/{id}/test`
   */
  test(id: Id, input: api.TestChannelInput, options?: RequestOptions): Promise<api.ChannelTest>;
}
export interface CustomFieldsMethods {
  /**
   * Lists the custom fields of the workspace, oldest first.
   * Needs the scope `custom_fields.readonly`: See the custom fields of the workspace.
   *
   * `GET /api/v1/custom-fields`
   */
  list(input?: api.ListCustomFieldsQuery, options?: RequestOptions): Promise<api.CustomFieldList>;
  /** The same, page after page. */
  all(input?: api.ListCustomFieldsQuery, options?: RequestOptions): AsyncIterableIterator<api.CustomField>;
  /**
   * Creates a custom field in the workspace.
   * Needs the scope `custom_fields.write`: Create, change and delete custom fields of the workspace.
   *
   * `POST /api/v1/custom-fields`
   */
  create(input: api.CreateCustomFieldInput, options?: RequestOptions): Promise<api.CustomField>;
  /**
   * Renames a custom field or replaces its options. Key and type never change.
   * Needs the scope `custom_fields.write`: Create, change and delete custom fields of the workspace.
   *
   * `PATCH /api/v1/custom-fields/{id}`
   */
  update(id: Id, input?: api.UpdateCustomFieldInput, options?: RequestOptions): Promise<api.CustomField>;
  /**
   * Deletes a custom field with all of its values.
   * Needs the scope `custom_fields.write`: Create, change and delete custom fields of the workspace.
   *
   * `DELETE /api/v1/custom-fields/{id}`
   */
  delete(id: Id, input?: api.DeleteCustomFieldQuery, options?: RequestOptions): Promise<void>;
}
export interface TagsMethods {
  /**
   * Lists the tags of the workspace by name.
   * Needs the scope `tags.readonly`: See the tags of the workspace.
   *
   * `GET /api/v1/tags`
   */
  list(input?: api.ListTagsQuery, options?: RequestOptions): Promise<api.TagList>;
  /** The same, page after page. */
  all(input?: api.ListTagsQuery, options?: RequestOptions): AsyncIterableIterator<api.Tag>;
  /**
   * Creates a tag in the workspace.
   * Needs the scope `tags.write`: Create tags in the workspace.
   *
   * `POST /api/v1/tags`
   */
  create(input: api.CreateTagInput, options?: RequestOptions): Promise<api.Tag>;
  /**
   * Renames a tag or changes its color. Contacts keep it.
   * Needs the scope `tags.write`: Create tags in the workspace.
   *
   * `PATCH /api/v1/tags/{id}`
   */
  update(id: Id, input?: api.UpdateTagInput, options?: RequestOptions): Promise<api.Tag>;
  /**
   * Removes a tag from every contact and deletes it.
   * Needs the scope `tags.write`: Create tags in the workspace.
   *
   * `DELETE /api/v1/tags/{id}`
   */
  delete(id: Id, input?: api.DeleteTagQuery, options?: RequestOptions): Promise<void>;
}
export interface UsersMethods {
  /**
   * Lists the people of the workspace; with location_id, those with access to that location.
   * Needs the scope `users.readonly`: See the people of the workspace.
   *
   * `GET /api/v1/users`
   */
  list(input?: api.ListUsersQuery, options?: RequestOptions): Promise<api.UserList>;
  /** The same, page after page. */
  all(input?: api.ListUsersQuery, options?: RequestOptions): AsyncIterableIterator<api.User>;
  /**
   * Invites a person to the workspace and mails a link to join it.
   * Needs the scope `users.write`: Invite, change and remove members and managers of the workspace.
   *
   * `POST /api/v1/users`
   */
  invite(input: api.InviteUserInput, options?: RequestOptions): Promise<api.InvitedUser>;
  /**
   * Updates a person's name, e-mail address, role or locations.
   * Needs the scope `users.write`: Invite, change and remove members and managers of the workspace.
   *
   * `PATCH /api/v1/users/{id}`
   */
  update(id: Id, input?: api.UpdateUserInput, options?: RequestOptions): Promise<api.User>;
  /**
   * Removes a person from the workspace. The records they created are kept.
   * Needs the scope `users.write`: Invite, change and remove members and managers of the workspace.
   *
   * `DELETE /api/v1/users/{id}`
   */
  remove(id: Id, input?: api.RemoveUserQuery, options?: RequestOptions): Promise<void>;
}
export interface EventsMethods {
  /**
   * Reads the event log after a position.
   * Needs the scope `events.readonly`: Read the event log.
   *
   * `GET /api/v1/events`
   */
  readLog(input?: api.ReadEventLogQuery, options?: RequestOptions): Promise<api.EventLog>;
  /** The same, page after page. */
  all(input?: api.ReadEventLogQuery, options?: RequestOptions): AsyncIterableIterator<api.LoggedEvent>;
  /**
   * Reports an event that happened in an external tool.
   * Needs the scope `events.write`: Report events that happened in other tools.
   *
   * `POST /api/v1/events`
   */
  report(input: api.ReportEventInput, options?: RequestOptions): Promise<api.ReportedEvent>;
  /**
   * Returns a sample of what a webhook receives for an event.
   * Needs the scope `webhooks.readonly`: See webhook registrations and their deliveries.
   *
   * `GET /api/v1/hooks/samples`
   */
  getSample(input: api.GetSampleEventQuery, options?: RequestOptions): Promise<api.SampleEvent>;
}
export interface AuditEntriesMethods {
  /**
   * Lists who did what in the workspace, when, and from where, latest first.
   * Needs the scope `audit.readonly`: See the audit log: who did what in the workspace.
   *
   * `GET /api/v1/audit`
   */
  list(input?: api.ListAuditEntriesQuery, options?: RequestOptions): Promise<api.AuditEntryList>;
  /** The same, page after page. */
  all(input?: api.ListAuditEntriesQuery, options?: RequestOptions): AsyncIterableIterator<api.AuditEntry>;
}
export interface HooksMethods {
  /**
   * Lists the webhooks that this credential may access, oldest first.
   * Needs the scope `webhooks.readonly`: See webhook registrations and their deliveries.
   *
   * `GET /api/v1/hooks`
   */
  list(input?: api.ListHooksQuery, options?: RequestOptions): Promise<api.HookList>;
  /** The same, page after page. */
  all(input?: api.ListHooksQuery, options?: RequestOptions): AsyncIterableIterator<api.Hook>;
  /**
   * Registers a webhook for an event, within the access of this credential.
   * Needs the scope `webhooks.write`: Register, change and remove webhooks, and replay their deliveries.
   *
   * `POST /api/v1/hooks`
   */
  register(input: api.RegisterHookInput, options?: RequestOptions): Promise<api.HookRegistration>;
  /**
   * Shows a webhook.
   * Needs the scope `webhooks.readonly`: See webhook registrations and their deliveries.
   *
   * `GET /api/v1/hooks/{id}`
   */
  get(id: Id, input?: api.GetHookQuery, options?: RequestOptions): Promise<api.Hook>;
  /**
   * Updates the given fields of a webhook, from now on: events, target and status.
   * Needs the scope `webhooks.write`: Register, change and remove webhooks, and replay their deliveries.
   *
   * `PATCH /api/v1/hooks/{id}`
   */
  update(id: Id, input?: api.UpdateHookInput, options?: RequestOptions): Promise<api.Hook>;
  /**
   * Removes a webhook and cancels its pending deliveries.
   * Needs the scope `webhooks.write`: Register, change and remove webhooks, and replay their deliveries.
   *
   * `DELETE /api/v1/hooks/{id}`
   */
  remove(id: Id, input?: api.RemoveHookQuery, options?: RequestOptions): Promise<void>;
  /**
   * Replaces the secret of a webhook; the old one may also sign for a while.
   * Needs the scope `webhooks.write`: Register, change and remove webhooks, and replay their deliveries.
   *
   * `POST /api/v1/hooks/{id}/rotate-secret`
   */
  rotateSecret(id: Id, input?: api.RotateHookSecretInput, options?: RequestOptions): Promise<api.RotatedHookSecret>;
  /**
   * Queues a ping, which is signed, delivered and logged like any event.
   * Needs the scope `webhooks.write`: Register, change and remove webhooks, and replay their deliveries.
   *
   * `POST /api/v1/hooks/{id}/test`
   */
  sendTest(id: Id, input?: api.SendTestInput, options?: RequestOptions): Promise<api.Delivery>;
}
export interface DeliveriesMethods {
  /**
   * Lists the deliveries of a webhook with their attempts, newest first.
   * Needs the scope `webhooks.readonly`: See webhook registrations and their deliveries.
   *
   * `GET /api/v1/hooks/{id}/deliveries`
   */
  list(id: Id, input?: api.ListDeliveriesQuery, options?: RequestOptions): Promise<api.DeliveryList>;
  /** The same, page after page. */
  all(id: Id, input?: api.ListDeliveriesQuery, options?: RequestOptions): AsyncIterableIterator<api.Delivery>;
  /**
   * Shows a delivery with its attempts, its webhook and its body.
   * Needs the scope `webhooks.readonly`: See webhook registrations and their deliveries.
   *
   * `GET /api/v1/hooks/deliveries/{id}`
   */
  get(id: Id, input?: api.GetDeliveryQuery, options?: RequestOptions): Promise<api.SentDelivery>;
  /**
   * Redelivers a delivery under the same ID, with five new attempts.
   * Needs the scope `webhooks.write`: Register, change and remove webhooks, and replay their deliveries.
   *
   * `POST /api/v1/hooks/deliveries/{id}/replay`
   */
  replay(id: Id, input?: api.ReplayDeliveryInput, options?: RequestOptions): Promise<api.Delivery>;
}
export interface OauthMethods {
  /**
   * Issues tokens for a code or a refresh token (RFC 6749).
   * A code and a refresh token work once. Reuse revokes the tokens that were issued for them.
   *
   * `POST /api/oauth/token`
   */
  issueTokens(input: api.IssueTokensInput, options?: RequestOptions): Promise<api.Tokens>;
  /**
   * Revokes a token (RFC 7009); an unknown one counts as revoked.
   * A refresh token is revoked with every token of its consent, an access token alone.
   *
   * `POST /api/oauth/revoke`
   */
  revokeToken(input: api.RevokeTokenInput, options?: RequestOptions): Promise<api.Revoked>;
}
export interface BillingMethods {
  /**
   * Records a payment report of an app with external billing.
   * Send a report again if its answer was lost: a repetition changes nothing.
   *
   * `POST /api/oauth/billing/webhook`
   */
  reportPayment(input: api.ReportPaymentInput, options?: RequestOptions): Promise<api.ReportTaken>;
}
export interface InboundMessagesMethods {
  /**
   * Accepts a delivery receipt for an outbound message.
   * The token is that of the inbound URL. A status never goes back, and `failed` is final.
   *
   * `POST /receipts/{token}`
   */
  reportReceipt(token: Id, input: api.ReportReceiptInput, options?: RequestOptions): Promise<api.Receipt>;
}
/** A method for each operation of the API, by noun. */
export interface Crm {
  readonly credentials: CredentialsMethods;
  readonly locations: LocationsMethods;
  readonly contacts: ContactsMethods;
  readonly duplicates: DuplicatesMethods;
  readonly contactMerges: ContactMergesMethods;
  readonly search: SearchMethods;
  readonly notes: NotesMethods;
  readonly opportunities: OpportunitiesMethods;
  readonly pipelines: PipelinesMethods;
  readonly tasks: TasksMethods;
  readonly conversations: ConversationsMethods;
  readonly messages: MessagesMethods;
  readonly attachments: AttachmentsMethods;
  readonly workflows: WorkflowsMethods;
  readonly workflowRuns: WorkflowRunsMethods;
  readonly channels: ChannelsMethods;
  readonly customFields: CustomFieldsMethods;
  readonly tags: TagsMethods;
  readonly users: UsersMethods;
  readonly events: EventsMethods;
  readonly auditEntries: AuditEntriesMethods;
  readonly hooks: HooksMethods;
  readonly deliveries: DeliveriesMethods;
  readonly oauth: OauthMethods;
  readonly billing: BillingMethods;
  readonly inboundMessages: InboundMessagesMethods;
}
