/** Every column that holds an encrypted secret, and the context that it is bound to. */
import { inboundTokenContext } from "../../crm/channels/inbound-token.ts";
import { mailboxPasswordContext } from "../../crm/channels/mailboxes/mailbox.service.ts";
import { transportSecretContext } from "../../crm/channels/transports/transport-secret.ts";
import { postSecretContext } from "../../crm/workflows/posting/post-secret.ts";
import { workflowSecretsContext } from "../../crm/workflows/posting/workflow-secrets.ts";
import { secretCheckContext } from "../../storage/installation/installation.ts";
import { eachIdSlice } from "../../storage/inspection/id-slices.ts";
import type { Rows } from "../../storage/rows.ts";
import { secondFactorContext } from "../../tenancy/two-factor/second-factor.service.ts";
import { sealedFor } from "../../webhooks/hooks/hook-secret.ts";

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column from whose value `contextOf` makes the context. */
  readonly boundTo: string;
  readonly contextOf: (value: never) => string;
}

/** `test/storage/doctor.test.ts` finds one that is missing here. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "installation", column: "secret_check", boundTo: "id", contextOf: () => secretCheckContext },
  { table: "channels", column: "inbound_token", boundTo: "inbound_hash", contextOf: inboundTokenContext },
  { table: "channels", column: "transport_secret", boundTo: "id", contextOf: transportSecretContext },
  { table: "mailboxes", column: "password", boundTo: "channel_id", contextOf: mailboxPasswordContext },
  { table: "hooks", column: "secret", boundTo: "id", contextOf: sealedFor },
  { table: "hooks", column: "old_secret", boundTo: "id", contextOf: sealedFor },
  { table: "workflows", column: "post_secret", boundTo: "id", contextOf: postSecretContext },
  { table: "workflows", column: "old_post_secret", boundTo: "id", contextOf: postSecretContext },
  { table: "workflows", column: "secrets", boundTo: "id", contextOf: workflowSecretsContext },
  { table: "second_factors", column: "secret", boundTo: "user_id", contextOf: secondFactorContext },
];

export interface StoredSecret {
  /** Such as "hooks 3". */
  readonly name: string;
  readonly sealed: string;
  readonly context: string;
}

/** Every encrypted secret of the database. */
export async function* eachSealedSecret(rows: Rows): AsyncGenerator<StoredSecret> {
  for (const { table, column, boundTo, contextOf } of sealedColumns)
    for await (const { after, until } of eachIdSlice(rows, table)) {
      const found = await rows.rowsOnce<{ id: number; sealed: string; bound: never }>(
        `select id, "${column}" as sealed, "${boundTo}" as bound from "${table}"
          where id > ? and id <= ? and "${column}" is not null`,
        [after, until],
      );
      for (const { id, sealed, bound } of found)
        yield { name: `${table}.${column} ${id}`, sealed, context: contextOf(bound) };
    }
}
