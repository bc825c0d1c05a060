/** Settings of which one has no effect, or fails, without the other. */
import type { Settings } from "../../../config/settings.ts";
import { failure, listOf, ok, warning } from "../check.ts";
import type { Check, Machine } from "../check.ts";

interface Contradiction {
  readonly holds: (settings: Settings) => boolean;
  readonly sentence: string;
  /** Whether the service does not start, or fails later. */
  readonly isFatal: boolean;
}

const isBucket = (url: string | null): boolean => url?.startsWith("s3:") ?? false;
const hasBucketKey = (settings: Settings): boolean =>
  settings.s3AccessKeyId !== null && settings.s3SecretAccessKey !== null;
const usesBucket = ({ blobUrl, backupUrl }: Settings): boolean => isBucket(blobUrl) || isBucket(backupUrl);

const contradictions: readonly Contradiction[] = [
  {
    holds: ({ smtpUrl, mailFrom }) => smtpUrl !== null && mailFrom === null,
    sentence: "CRM_SMTP_URL is set and CRM_MAIL_FROM is not",
    isFatal: true,
  },
  {
    holds: ({ smtpUrl, mailFrom }) => smtpUrl === null && mailFrom !== null,
    sentence: "CRM_MAIL_FROM is set and CRM_SMTP_URL is not: no mail is sent",
    isFatal: false,
  },
  {
    holds: (settings) => usesBucket(settings) && !hasBucketKey(settings),
    sentence: "a bucket is set, and CRM_S3_ACCESS_KEY_ID or CRM_S3_SECRET_ACCESS_KEY is not",
    isFatal: true,
  },
  {
    holds: (settings) => !usesBucket(settings) && hasBucketKey(settings),
    sentence: "CRM_S3_ACCESS_KEY_ID is set, and no bucket",
    isFatal: false,
  },
  {
    holds: ({ stripeSecretKey, stripeWebhookSecret }) => stripeSecretKey !== null && stripeWebhookSecret === null,
    sentence: "CRM_STRIPE_SECRET_KEY is set and CRM_STRIPE_WEBHOOK_SECRET is not: payments are noticed late",
    isFatal: false,
  },
  {
    holds: ({ stripeSecretKey, stripeWebhookSecret }) => stripeSecretKey === null && stripeWebhookSecret !== null,
    sentence: "CRM_STRIPE_WEBHOOK_SECRET is set and CRM_STRIPE_SECRET_KEY is not: there is no platform billing",
    isFatal: false,
  },
];

export const contradictorySettings: Check<Machine> = {
  name: "contradictory settings",
  async examine({ settings }) {
    const found = contradictions.filter(({ holds }) => holds(settings));
    if (found.length === 0) return ok("the settings fit each other");
    const sentences = listOf(found.map(({ sentence }) => sentence));
    const find = found.some(({ isFatal }) => isFatal) ? failure : warning;
    return find(sentences, "set both or neither");
  },
};
