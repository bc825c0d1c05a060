/** One free trial per workspace and app: an offer has none once a trial was used, or while another checkout offers it. */
import type { Rows } from "../../../storage/rows.ts";
import { limits } from "../../../vocabulary/limits.ts";

/** A trial whose install was voided was not used. */
const usedText = `select k.id from platform_checkouts k join app_subscriptions s on s.id = k.app_subscription_id
  where s.app_id = ? and s.workspace_id = ? and k.trial_days > 0 and (
    (k.status = 'complete' and not exists (select 1 from stripe_calls c where c.key = 'void-' || k.subscription_id))
    or (k.status in ('intended', 'open') and k.app_subscription_id <> ? and k.created_at > ?)) limit 1`;

interface TrialScope {
  readonly appId: number;
  readonly workspaceId: number;
  /** The subscription that the offer is for: its own open checkouts are replaced. */
  readonly subscriptionId: number;
}

/** The free days that the app grants to this subscription. */
export async function findTrialDays(
  rows: Rows,
  { appId, workspaceId, subscriptionId }: TrialScope,
  trialDays: number,
  now: Date,
): Promise<number> {
  if (trialDays === 0) return 0;
  const since = new Date(now.getTime() - limits.billing.pendingInstallSeconds * 1000);
  const used = await rows.rows(usedText, [appId, workspaceId, subscriptionId, since]);
  return used.length === 0 ? trialDays : 0;
}
