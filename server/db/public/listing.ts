import type { Tx } from '../core/client';
import { addEvent } from '../activity/operations';

/** Why an administrator keeps an app out of the explorer; null if none does. */
export async function listingRefusal(trx: Tx, app_id: number): Promise<string | null> {
  const app = await trx
    .selectFrom('apps')
    .select('listing_refused_reason')
    .where('id', '=', app_id)
    .executeTakeFirst();
  return app?.listing_refused_reason ?? null;
}

/** Removes an app from the explorer until `listApp`; its CVMs keep running. */
export async function unlistApp(trx: Tx, app_id: number, reason: string): Promise<void> {
  const { team_id, name } = await trx
    .updateTable('apps')
    .set({ listing_refused_at: new Date(), listing_refused_reason: reason })
    .where('id', '=', app_id)
    .returning(['team_id', 'name'])
    .executeTakeFirstOrThrow();
  const hidden = await trx
    .updateTable('cvms')
    .set({ listed: false, updated_at: new Date() })
    .where('app_id', '=', app_id)
    .where('listed', '=', true)
    // Includes the recycle bin: a CVM restored after `listApp` is public only once the team lists it again.
    .returning(['id', 'team_id', 'app_id'])
    .execute();
  // Every CVM has the event in its history, and the first one notifies the team.
  const events = hidden.length > 0 ? hidden : [{ id: null, team_id, app_id }];
  for (const [i, cvm] of events.entries())
    await addEvent(trx, {
      cvm,
      kind: 'cvm.listed',
      severity: 'warning',
      message: `An administrator removed the app from public lists: ${reason}`,
      data: { listed: false, reason, ...(i === 0 ? { is_refused: true, app_name: name } : {}) },
    });
}

/** Lets the team list the app again. */
export async function listApp(trx: Tx, app_id: number, reason: string): Promise<void> {
  const { team_id } = await trx
    .updateTable('apps')
    .set({ listing_refused_at: null, listing_refused_reason: null })
    .where('id', '=', app_id)
    .returning('team_id')
    .executeTakeFirstOrThrow();
  // CVMs don't change: the team lists them again.
  await addEvent(trx, {
    cvm: { id: null, team_id, app_id },
    kind: 'cvm.listed',
    message: `An administrator allows the app in public lists again: ${reason}`,
    data: { listed: false, reason, is_refused: false },
  });
}
