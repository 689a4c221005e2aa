import { sql } from 'kysely';
import type { Tx } from '../core/client';
import type { ComposeDraftChange, ComposeDraftRow } from './composeDraftsTable';
import { toJson } from '../core/json';

const DAYS = 14;
const KEPT = 10;

/** Stores a draft; preparing the same file again renews it. Beyond ten, the oldest are deleted. */
export async function keepDraft(
  trx: Tx,
  draft: { cvm_id: number; compose_hash: string; change: ComposeDraftChange },
): Promise<void> {
  const expires_at = new Date(Date.now() + DAYS * 86_400_000);
  const change = toJson(draft.change);
  await trx
    .insertInto('compose_drafts')
    .values({ ...draft, change, expires_at })
    .onConflict((conflict) =>
      conflict
        .columns(['cvm_id', 'compose_hash'])
        .doUpdateSet({ change, expires_at, created_at: sql`now()` }),
    )
    .execute();
  await sql`delete from compose_drafts where cvm_id = ${draft.cvm_id} and id not in (
    select id from compose_drafts where cvm_id = ${draft.cvm_id} order by created_at desc, id desc limit ${KEPT})`.execute(
    trx,
  );
}

/** Removes the draft: a hash is committed once. */
export function takeDraft(
  trx: Tx,
  cvm_id: number,
  compose_hash: string,
): Promise<ComposeDraftRow | undefined> {
  return trx
    .deleteFrom('compose_drafts')
    .where('cvm_id', '=', cvm_id)
    .where('compose_hash', '=', compose_hash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
}
