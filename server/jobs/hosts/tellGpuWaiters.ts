import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { lockGpuLine, noteGpusTold, promisedGpus, type WaitingMember } from '../../db/hosts/gpuWaits';
import { teepodCapacities, type TeepodCapacity } from '../../db/hosts/reservations';
import type { MailOutbox } from '../notifications/mailOutbox';

const AT_ONCE = 200;
/** Of the line in one run. */
const MOST = 10_000;
/** What was free for someone counts as taken for as long, so that not everyone is sent to the same GPU. */
const PROMISED_MINUTES = 60;

/**
 * Sends a mail to the members who have waited longest for GPUs that a host of their team now has. A GPU is not reserved by
 * it: the first to deploy gets it.
 */
export async function tellGpuWaiters({ db, outbox }: { db: Db; outbox: MailOutbox }): Promise<void> {
  await withTransaction(db, async (trx) => {
    const promised = await promisedGpus(trx, PROMISED_MINUTES);
    const hosts = new Map<number, TeepodCapacity[]>();
    let after: WaitingMember | null = null;
    for (let seen = 0; seen < MOST; seen += AT_ONCE) {
      const line: WaitingMember[] = await lockGpuLine(trx, { after, limit: AT_ONCE });
      for (const member of line) {
        const known = hosts.get(member.team_id) ?? (await teepodCapacities(trx, { team_id: member.team_id }));
        hosts.set(member.team_id, known);
        const host = known.find(
          ({ teepod_id, gpus, slots }) => slots > 0 && gpus - (promised.get(teepod_id) ?? 0) >= member.gpus,
        );
        if (!host) continue;
        promised.set(host.teepod_id, (promised.get(host.teepod_id) ?? 0) + member.gpus);
        await tell(trx, outbox, member, host.teepod_id);
      }
      after = line.at(-1) ?? null;
      if (line.length < AT_ONCE) return;
    }
  });
}

async function tell(trx: Tx, outbox: MailOutbox, member: WaitingMember, teepod_id: number): Promise<void> {
  const { email, gpus, team_id, user_id, team_name, team_slug } = member;
  await outbox.enqueue(trx, {
    to: email,
    template: 'gpus_free',
    data: { gpus, team_name, team_slug, minutes: PROMISED_MINUTES },
    user_id,
    team_id,
  });
  await noteGpusTold(trx, member.id, teepod_id);
}
