/** @generated from the OpenAPI document by `npm run docs`; changes here are lost. */
import type {
  AppointmentBookedEvent,
  AppointmentCancelledEvent,
  ContactCreatedEvent,
  ContactDeletedEvent,
  ContactTagAddedEvent,
  ContactTagRemovedEvent,
  ContactUpdatedEvent,
  ConversationCreatedEvent,
  ConversationUpdatedEvent,
  FormSubmittedEvent,
  InvoicePaidEvent,
  LocationCreatedEvent,
  LocationUpdatedEvent,
  MessageFailedEvent,
  MessageReceivedEvent,
  MessageSentEvent,
  NoteAddedEvent,
  OpportunityCreatedEvent,
  OpportunityStageChangedEvent,
  PageViewedEvent,
  PaymentFailedEvent,
  PingEvent,
  QuizSubmittedEvent,
  ReviewReceivedEvent,
  ReviewRepliedEvent,
  ReviewRequestClickedEvent,
  ReviewRequestSentEvent,
  SocialPostApprovedEvent,
  SocialPostFailedEvent,
  SocialPostPublishedEvent,
  SurveySubmittedEvent,
  TaskCompletedEvent,
  TaskCreatedEvent,
  TriggerLinkClickedEvent,
  UserInvitedEvent,
  VideoTestimonialReceivedEvent,
  WorkflowRunFinishedEvent,
  WorkflowRunStartedEvent,
} from "./schemas.ts";

/** The body of a webhook, by the name of its event. */
export interface EventsByName {
  ping: PingEvent;
  "location.created": LocationCreatedEvent;
  "location.updated": LocationUpdatedEvent;
  "user.invited": UserInvitedEvent;
  "contact.created": ContactCreatedEvent;
  "contact.updated": ContactUpdatedEvent;
  "contact.deleted": ContactDeletedEvent;
  "contact.tag_added": ContactTagAddedEvent;
  "contact.tag_removed": ContactTagRemovedEvent;
  "note.added": NoteAddedEvent;
  "opportunity.created": OpportunityCreatedEvent;
  "opportunity.stage_changed": OpportunityStageChangedEvent;
  "task.created": TaskCreatedEvent;
  "task.completed": TaskCompletedEvent;
  "page.viewed": PageViewedEvent;
  "form.submitted": FormSubmittedEvent;
  "survey.submitted": SurveySubmittedEvent;
  "quiz.submitted": QuizSubmittedEvent;
  "trigger_link.clicked": TriggerLinkClickedEvent;
  "review.received": ReviewReceivedEvent;
  "review.replied": ReviewRepliedEvent;
  "review_request.sent": ReviewRequestSentEvent;
  "review_request.clicked": ReviewRequestClickedEvent;
  "video_testimonial.received": VideoTestimonialReceivedEvent;
  "social_post.published": SocialPostPublishedEvent;
  "social_post.failed": SocialPostFailedEvent;
  "social_post.approved": SocialPostApprovedEvent;
  "invoice.paid": InvoicePaidEvent;
  "payment.failed": PaymentFailedEvent;
  "appointment.booked": AppointmentBookedEvent;
  "appointment.cancelled": AppointmentCancelledEvent;
  "conversation.created": ConversationCreatedEvent;
  "conversation.updated": ConversationUpdatedEvent;
  "message.received": MessageReceivedEvent;
  "message.sent": MessageSentEvent;
  "message.failed": MessageFailedEvent;
  "workflow.run_started": WorkflowRunStartedEvent;
  "workflow.run_finished": WorkflowRunFinishedEvent;
}
