import { reconcileTeepod } from '../../../jobs/cvms/reconcile';
import type { Fleet } from './fleet';

/** Compares a host with the database as if nothing had changed for a while. */
export async function hostRound({ server }: Fleet, { host }: Fleet['hosts'][number]): Promise<void> {
  const { services } = server;
  await services.db
    .updateTable('cvms')
    .set({ updated_at: new Date(Date.now() - 60_000) })
    .execute();
  const teepod = await services.db
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', host.teepod.id)
    .executeTakeFirstOrThrow();
  await reconcileTeepod(services, services.jobs, teepod);
}
