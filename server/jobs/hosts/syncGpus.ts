import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { syncGpus } from '../../db/hosts/gpus';
import type { VmmRegistry } from '../../drivers/vmm';

const ANSWER_MS = 10_000;

/** Reads the GPUs of every reachable host. The built-in teepod has none. */
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
        const { gpus, allow_attach_all } = await vmm
          .get(teepod)
          .listGpus({ signal: AbortSignal.timeout(ANSWER_MS) });
        await syncGpus(db, teepod.id, gpus);
        if (allow_attach_all !== teepod.attach_all_gpus)
          await db
            .updateTable('teepods')
            .set({ attach_all_gpus: allow_attach_all })
            .where('id', '=', teepod.id)
            .execute();
      } catch (error) {
        // The reconciler decides whether it is reachable.
        log.warn({ err: error, teepod: teepod.name }, "a host's GPUs could not be read");
      }
    }),
  );
}
