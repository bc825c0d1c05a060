/** The closed sets of words that records may hold: the roles of people, the kinds of actors behind an event, what stages stand for. */

/** What a person is in a workspace; an owner reaches every location. */
export const roles = ["owner", "manager", "member"] as const;
export type Role = (typeof roles)[number];

/** Who did what an event tells of (Contact, "Activity": `actor`). */
export const actorTypes = ["user", "api_key", "app", "workflow", "contact", "system"] as const;
export type ActorType = (typeof actorTypes)[number];

/** What a stage stands for; the status of an opportunity is the kind of its stage. */
export const stageKinds = ["open", "won", "lost"] as const;
export type StageKind = (typeof stageKinds)[number];
