/** Every entity, from which the schema and its migrations are generated. */
import { Channel } from "./crm/channels/channel.entity.ts";
import { ChannelMailbox } from "./crm/channels/mailboxes/mailbox.entity.ts";
import { Contact, ContactCount, ContactMerge } from "./crm/contact.entity.ts";
import { TextIndex, UnindexedName } from "./crm/text-index/text-index.entity.ts";
import { Attachment } from "./crm/conversations/attachments/attachment.entity.ts";
import { Conversation, Message } from "./crm/conversations/conversation.entity.ts";
import { ChannelQueue, MessageSend } from "./crm/conversations/sending/message-send.entity.ts";
import { RemovedMail } from "./crm/conversations/sending/removed-mail.entity.ts";
import { CustomField } from "./crm/custom-fields/custom-field.entity.ts";
import { CustomValue } from "./crm/custom-fields/custom-value.entity.ts";
import { ContactErasure } from "./crm/erasure/erasure.entity.ts";
import { Note } from "./crm/notes/note.entity.ts";
import { OpportunityValue } from "./crm/opportunities/opportunity-value.entity.ts";
import { Opportunity } from "./crm/opportunities/opportunity.entity.ts";
import { Pipeline, Stage } from "./crm/pipelines/pipeline.entity.ts";
import { ContactTag, Tag } from "./crm/tags/tag.entity.ts";
import { Task } from "./crm/tasks/task.entity.ts";
import { WorkflowRun, WorkflowRunStep } from "./crm/workflow-run.entity.ts";
import { WorkflowPost, WorkflowQueue } from "./crm/workflow-post.entity.ts";
import { Workflow, WorkflowRotation, WorkflowTriggerDay, WorkflowVersion } from "./crm/workflow.entity.ts";
import { Event, EventLog, EventMark, EventPosition, UnstampedEvent } from "./events/event.entity.ts";
import { IdempotencyKey } from "./http/idempotency/idempotency-key.entity.ts";
import { App } from "./marketplace/apps/app.entity.ts";
import { AppSubscription, BillingReport, PendingInstall } from "./marketplace/billing/billing.entity.ts";
import {
  LedgerEntry,
  PlatformCharge,
  PlatformCheckout,
  StripeCall,
  StripeEvent,
} from "./marketplace/billing/platform/platform.entity.ts";
import { AppInstall, OauthCode, OauthGrant, OauthRequest, OauthToken } from "./marketplace/oauth/oauth.entity.ts";
import { BackupRecord } from "./backup/backup-record.entity.ts";
import { AuditEntry, AuditLog } from "./operation/audit/audit-entry.entity.ts";
import { Installation } from "./storage/installation/installation.entity.ts";
import { WorkerProcess } from "./storage/installation/worker.entity.ts";
import { ApiKey } from "./tenancy/api-keys/api-key.entity.ts";
import { AccountLink } from "./tenancy/invitations/account-link.entity.ts";
import { Location } from "./tenancy/locations/location.entity.ts";
import { Session } from "./tenancy/sessions/session.entity.ts";
import { Membership, MembershipLocation } from "./tenancy/users/membership.entity.ts";
import { RecoveryCode, SecondFactor } from "./tenancy/two-factor/second-factor.entity.ts";
import { User } from "./tenancy/users/user.entity.ts";
import { Workspace } from "./tenancy/workspaces/workspace.entity.ts";
import { Delivery, DeliveryAttempt, HookQueue } from "./webhooks/deliveries/delivery.entity.ts";
import { Hook } from "./webhooks/hooks/hook.entity.ts";

export const entities = [
  Installation,
  WorkerProcess,
  BackupRecord,
  Workspace,
  Location,
  User,
  Membership,
  MembershipLocation,
  ApiKey,
  Session,
  SecondFactor,
  RecoveryCode,
  AccountLink,
  App,
  AppInstall,
  OauthRequest,
  OauthGrant,
  OauthCode,
  OauthToken,
  PendingInstall,
  AppSubscription,
  BillingReport,
  PlatformCheckout,
  StripeCall,
  PlatformCharge,
  LedgerEntry,
  StripeEvent,
  Event,
  EventLog,
  EventPosition,
  UnstampedEvent,
  EventMark,
  AuditEntry,
  AuditLog,
  IdempotencyKey,
  Hook,
  HookQueue,
  Delivery,
  DeliveryAttempt,
  Contact,
  ContactCount,
  ContactMerge,
  ContactErasure,
  TextIndex,
  UnindexedName,
  Tag,
  ContactTag,
  CustomField,
  CustomValue,
  Note,
  Pipeline,
  Stage,
  Opportunity,
  OpportunityValue,
  Task,
  Channel,
  ChannelMailbox,
  Conversation,
  Message,
  Attachment,
  RemovedMail,
  Workflow,
  WorkflowVersion,
  WorkflowTriggerDay,
  WorkflowRotation,
  WorkflowRun,
  WorkflowRunStep,
  WorkflowPost,
  WorkflowQueue,
  MessageSend,
  ChannelQueue,
];
