/** The text indexes that searches use. */
import { followedContacts } from "../contact-texts.follower.ts";
import { opportunityNames } from "../opportunities/opportunity.names.ts";
import { taskNames } from "../tasks/task.names.ts";
import type { FollowedTexts } from "../text-index/text-index.ts";

export const textIndexes: readonly FollowedTexts[] = [...followedContacts, opportunityNames, taskNames];
