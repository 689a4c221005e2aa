import type { Db, Tx } from '../core/client';

/** Returns how many CVMs of the app each teepod has, by its ID. */
export async function replicasByHost(db: Db | Tx, app_id: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('cvms')
    .select((eb) => ['teepod_id', eb.fn.countAll<number>().as('n')])
    .where('app_id', '=', app_id)
    .where('deleted_at', 'is', null)
    .groupBy('teepod_id')
    .execute();
  return new Map(rows.map(({ teepod_id, n }) => [teepod_id, Number(n)]));
}
