import { reconcileTeepod } from '../../../jobs/cvms/reconcile';
import type { Fleet } from './fleet';

/** Compares a host with the database now, in addition to the server's own rounds. */
export async function hostRound({ server }: Fleet, { host }: Fleet['hosts'][number]): Promise<void> {
  const { services } = server;
  const teepod = await services.db
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', host.teepod.id)
    .executeTakeFirstOrThrow();
  await reconcileTeepod(services, services.jobs, teepod);
}
