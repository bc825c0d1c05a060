/** The tables of OAuth: pending requests, grants, codes, and token pairs; secrets only as hashes. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { Session } from "../../tenancy/sessions/session.entity.ts";
import { Membership } from "../../tenancy/users/membership.entity.ts";
import { App } from "../apps/app.entity.ts";

/** A pending authorization request of a session: nothing of it is sent through the form. */
export const OauthRequest = defineEntity({
  name: "OauthRequest",
  tableName: "oauth_requests",
  indexes: [
    { name: "oauth_requests_of_session", properties: ["session", "id"] },
    { name: "oauth_requests_of_app", properties: ["app"] },
    { name: "oauth_requests_by_end", properties: ["expiresAt"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    session: () => p.manyToOne(Session).deleteRule("cascade").index(false),
    app: () => p.manyToOne(App).deleteRule("cascade"),
    redirectUri: p.text(),
    /** A JSON list of scope names. */
    scopes: p.text(),
    /** As JSON: it must be returned unchanged, and may contain what PostgreSQL text cannot. */
    state: p.text().nullable(),
    codeChallenge: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    answeredAt: p.datetime(3).nullable(),
  },
});

/**
 * A grant, the result of a consent: codes and tokens belong to it and end with it. It ends with its giver's membership.
 */
export const OauthGrant = defineEntity({
  name: "OauthGrant",
  tableName: "oauth_grants",
  indexes: [
    { name: "oauth_grants_of_app", properties: ["app", "location"] },
    { name: "oauth_grants_of_location", properties: ["location"] },
    { name: "oauth_grants_of_membership", properties: ["membership"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    app: () => p.manyToOne(App).deleteRule("cascade").index(false),
    location: () => p.manyToOne(Location).deleteRule("cascade"),
    /** The membership of its giver. */
    membership: () => p.manyToOne(Membership).deleteRule("cascade"),
    createdAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
  },
});

export const OauthCode = defineEntity({
  name: "OauthCode",
  tableName: "oauth_codes",
  indexes: [
    { name: "oauth_codes_of_grant", properties: ["grant"] },
    { name: "oauth_codes_by_end", properties: ["expiresAt"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    grant: () => p.manyToOne(OauthGrant).deleteRule("cascade"),
    hash: p.text().unique("oauth_codes_hash"),
    redirectUri: p.text(),
    scopes: p.text(),
    codeChallenge: p.text().nullable(),
    expiresAt: p.datetime(3),
    redeemedAt: p.datetime(3).nullable(),
  },
});

/**
 * An access token and its refresh token. The row of a spent pair is deleted once its access token has expired: the live
 * row of its family identifies it.
 */
export const OauthToken = defineEntity({
  name: "OauthToken",
  tableName: "oauth_tokens",
  indexes: [
    { name: "oauth_tokens_of_grant", properties: ["grant"] },
    { name: "oauth_tokens_by_end", properties: ["refreshExpiresAt"] },
    {
      name: "oauth_tokens_living",
      expression: 'create index "oauth_tokens_living" on "oauth_tokens" ("family_hash") where "spent_at" is null',
    },
    {
      name: "oauth_tokens_spent",
      expression:
        'create index "oauth_tokens_spent" on "oauth_tokens" ("spent_at") where "spent_at" is not null and "family_hash" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    grant: () => p.manyToOne(OauthGrant).deleteRule("cascade"),
    accessHash: p.text().unique("oauth_tokens_access_hash"),
    refreshHash: p.text().unique("oauth_tokens_refresh_hash"),
    /** The hash of the family's common prefix of refresh tokens; null for a token issued before families existed. */
    familyHash: p.text().nullable(),
    /** Those of the access token. */
    scopes: p.text(),
    /** Those of the refresh token, where its request asked for fewer; else null. */
    refreshScopes: p.text().nullable(),
    accessExpiresAt: p.datetime(3),
    refreshExpiresAt: p.datetime(3),
    /** When the refresh token was rotated. */
    spentAt: p.datetime(3).nullable(),
    /** When only the access token was revoked. */
    accessRevokedAt: p.datetime(3).nullable(),
  },
});

/**
 * Installs of apps in locations, with who installed them; ended ones are kept. The latest consent defines the scopes,
 * which limit every token and webhook of the app there.
 */
export const AppInstall = defineEntity({
  name: "AppInstall",
  tableName: "app_installs",
  indexes: [
    { name: "app_installs_of_app", properties: ["app", "id"] },
    { name: "app_installs_of_location", properties: ["location", "id"] },
    {
      name: "app_installs_living",
      expression:
        'create unique index "app_installs_living" on "app_installs" ("location_id", "app_id") where "uninstalled_at" is null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    app: () => p.manyToOne(App).deleteRule("cascade").index(false),
    location: () => p.manyToOne(Location).deleteRule("cascade").index(false),
    /** A plain ID and a name, kept after the person is removed. */
    userId: p.type(Integer),
    userName: p.text(),
    scopes: p.text(),
    installedAt: p.datetime(3),
    /** From when on its tokens are answered 402 until the subscription is paid; null while it is, and for an app that costs nothing here. */
    paymentDueAt: p.datetime(3).nullable(),
    uninstalledAt: p.datetime(3).nullable(),
  },
});
