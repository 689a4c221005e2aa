import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { listActiveInstanceTypes } from '../../db/catalog/catalogue';
import { lockGpuLine, noteGpusNotified, promisedGpus, type WaitingMember } from '../../db/hosts/gpuWaits';
import type { InstanceTypeRow } from '../../db/catalog/instanceTypesTable';
import { teepodCapacities, type TeepodCapacity } from '../../db/hosts/reservations';
import type { MailOutbox } from '../notifications/mailOutbox';

const BATCH_SIZE = 200;
/** Waiting members read per run. */
const MAX_WAITERS = 10_000;
/** GPUs offered to one member count as taken for this long, so that not everyone is sent to the same one. */
const PROMISED_MINUTES = 60;

/**
 * Mails the members who have waited longest for GPUs that a host of their team now has. The mail doesn't
 * reserve a GPU: the first to deploy gets it.
 */
export async function notifyGpuWaiters({ db, outbox }: { db: Db; outbox: MailOutbox }): Promise<void> {
  await withTransaction(db, async (trx) => {
    const promised = await promisedGpus(trx, PROMISED_MINUTES);
    const sizes = (await listActiveInstanceTypes(trx)).filter(({ gpu_count }) => gpu_count > 0);
    const hosts = new Map<number, TeepodCapacity[]>();
    let after: WaitingMember | null = null;
    for (let seen = 0; seen < MAX_WAITERS; seen += BATCH_SIZE) {
      const line: WaitingMember[] = await lockGpuLine(trx, { after, limit: BATCH_SIZE });
      for (const member of line) {
        const known = hosts.get(member.team_id) ?? (await teepodCapacities(trx, { team_id: member.team_id }));
        hosts.set(member.team_id, known);
        const host = known.find(
          (one) =>
            one.slots > 0 &&
            one.gpus - (promised.get(one.teepod_id) ?? 0) >= member.gpus &&
            hasRoom(one, member.gpus, sizes),
        );
        if (!host) continue;
        promised.set(host.teepod_id, (promised.get(host.teepod_id) ?? 0) + member.gpus);
        await notify(trx, outbox, member, host.teepod_id);
      }
      after = line.at(-1) ?? null;
      if (line.length < BATCH_SIZE) return;
    }
  });
}

/**
 * Whether a size with this many GPUs fits the host's free capacity. Without such a size, only the GPUs count.
 */
function hasRoom(host: TeepodCapacity, gpus: number, sizes: readonly InstanceTypeRow[]): boolean {
  const wanted = sizes.filter(({ gpu_count }) => gpu_count === gpus);
  return (
    wanted.length === 0 ||
    wanted.some(
      ({ vcpu, memory_mb, default_disk_size_gb }) =>
        host.vcpu >= vcpu && host.memory_mb >= memory_mb && host.disk_gb >= default_disk_size_gb,
    )
  );
}

async function notify(trx: Tx, outbox: MailOutbox, member: WaitingMember, teepod_id: number): Promise<void> {
  const { email, gpus, team_id, user_id, team_name, team_slug } = member;
  await outbox.enqueue(trx, {
    to: email,
    template: 'gpus_free',
    data: { gpus, team_name, team_slug, minutes: PROMISED_MINUTES },
    user_id,
    team_id,
  });
  await noteGpusNotified(trx, member.id, teepod_id);
}
