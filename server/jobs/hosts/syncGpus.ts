import { sql } from 'kysely';
import type { Db } from '../../db/core/client';
import { syncGpus } from '../../db/hosts/gpus';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import type { VmmRegistry } from '../../drivers/vmm';
import { hostRounds, type HostWork } from './hostRounds';
import { untilDone, type Tenure } from './hostShards';

const ANSWER_MS = 10_000;
const MAX_CONCURRENT_HOSTS = 32;

/** The built-in teepod has none, and the reconciler tracks whether a host is reachable. */
export const MAY_HAVE_GPUS = sql<boolean>`teepods.kind <> 'local' and teepods.reachable`;

/** Returns a run that reads the GPUs of this worker's reachable hosts. */
export function gpuSync(vmm: VmmRegistry, work: HostWork, limit_ms: number): () => Promise<void> {
  const { db, log } = work;
  const rules = {
    task: 'gpus',
    which: MAY_HAVE_GPUS,
    max_concurrent: MAX_CONCURRENT_HOSTS,
    limit_ms,
    patience_ms: ANSWER_MS,
    failure: "couldn't read a host's GPUs",
  };
  return hostRounds(work, rules, (teepod, tenure) =>
    syncGpusOf(db, vmm, teepod, tenure).catch((error: unknown) => {
      tenure.check();
      log.warn({ err: error, teepod: teepod.name }, rules.failure);
    }),
  );
}

export async function syncGpusOf(
  db: Db,
  vmm: VmmRegistry,
  teepod: TeepodRow,
  tenure: Tenure = untilDone(),
): Promise<void> {
  const signal = AbortSignal.any([tenure.signal, AbortSignal.timeout(ANSWER_MS)]);
  const { gpus, allow_attach_all } = await vmm.get(teepod).listGpus({ signal });
  tenure.check();
  await syncGpus(db, teepod.id, gpus);
  if (allow_attach_all !== teepod.attach_all_gpus)
    await db
      .updateTable('teepods')
      .set({ attach_all_gpus: allow_attach_all })
      .where('id', '=', teepod.id)
      .execute();
}
