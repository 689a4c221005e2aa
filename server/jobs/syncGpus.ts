import type { Logger } from 'pino';
import type { Db } from '../db/client';
import { syncGpus } from '../db/gpus';
import type { VmmRegistry } from '../drivers/vmm';

const ANSWER_MS = 10_000;

/** Asks every host that answers which GPUs it has. The built-in teepod has none. */
export async function syncAllGpus({
  db,
  vmm,
  log,
}: {
  db: Db;
  vmm: VmmRegistry;
  log: Logger;
}): Promise<void> {
  const teepods = await db
    .selectFrom('teepods')
    .selectAll()
    .where('state', '<>', 'offline')
    .where('kind', '<>', 'local')
    .where('reachable', '=', true)
    .orderBy('id')
    .limit(1000)
    .execute();
  await Promise.all(
    teepods.map(async (teepod) => {
      try {
        const { gpus } = await vmm.get(teepod).listGpus({ signal: AbortSignal.timeout(ANSWER_MS) });
        await syncGpus(db, teepod.id, gpus);
      } catch (error) {
        // Whether it answers at all is the reconciler's to say.
        log.warn({ err: error, teepod: teepod.name }, 'the GPUs of a host could not be learned');
      }
    }),
  );
}
