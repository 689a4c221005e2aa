import { HOST_SHARDS } from '../../../domain/hosts/shards';
import type { VmmRegistry } from '../../../drivers/vmm';
import type { Db } from '../../../db/core/client';
import { untilDone, type HostShards } from '../hostShards';
import { MAY_HAVE_GPUS, syncGpusOf } from '../syncGpus';

/** The shards of a worker that has every host. */
export const everyHost: HostShards = {
  refresh: () => Promise.resolve(),
  own: () => Promise.resolve(Array.from({ length: HOST_SHARDS }, (_, shard) => shard)),
  visit: (_id, work) => work(untilDone()),
  stop: () => Promise.resolve(),
};

/** Reads the GPUs of every responding host, as its worker does. */
export async function readGpus({ db, vmm }: { db: Db; vmm: VmmRegistry }): Promise<void> {
  const teepods = await db.selectFrom('teepods').selectAll().where(MAY_HAVE_GPUS).execute();
  await Promise.allSettled(teepods.map((teepod) => syncGpusOf(db, vmm, teepod)));
}
