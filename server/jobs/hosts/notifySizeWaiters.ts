import type { Logger } from 'pino';
import { roomText } from '../../../console/lib/texts/roomText';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { imagesOf, listActiveInstanceTypes } from '../../db/catalog/catalogue';
import {
  countSizeLine,
  lockSizeLine,
  noteWaiterNotified,
  promisedRoom,
  type PromisedRoom,
  type WaitingMember,
  type WantedRoom,
} from '../../db/hosts/sizeWaits';
import type { InstanceTypeRow } from '../../db/catalog/instanceTypesTable';
import { teepodCapacities, type TeepodCapacity } from '../../db/hosts/reservations';
import { listKmsRows } from '../../db/kms/kms';
import { placementPolicy } from '../../db/platform/platformSettings';
import type { KmsRow } from '../../db/kms/kmsTable';
import { canUseKms, isUsableImage } from '../../domain/hosts/placement';
import { rank, type PlacementPolicy, type Size } from '../../domain/hosts/scheduler';
import type { MailOutbox } from '../notifications/mailOutbox';

/** Far more services than a server has. */
const ALL_KMS = { limit: 1000, offset: 0 };
const BATCH_SIZE = 200;
/** Waiting members read per run. */
const MAX_WAITERS = 10_000;
const TASK = 'gpu_waits';
/** What is offered to one member counts as taken for this long, so that not everyone is sent to the same room. */
const PROMISED_MINUTES = 60;

interface NotifyingWaiters {
  db: Db;
  outbox: MailOutbox;
  log: Logger;
  cutShort: (task: string, left: number) => void;
  /** How many waiting members are read. */
  most?: number;
}

/**
 * Mails the members who have waited longest for what a host of their team now has: GPUs, or room for a size. The
 * mail reserves nothing: the first to deploy gets it.
 */
export async function notifySizeWaiters({
  db,
  outbox,
  log,
  cutShort,
  most = MAX_WAITERS,
}: NotifyingWaiters): Promise<void> {
  await withTransaction(db, async (trx) => {
    const promised = await promisedRoom(trx, PROMISED_MINUTES);
    const types = (await listActiveInstanceTypes(trx)).filter(({ gpu_count }) => gpu_count > 0);
    const policy = await placementPolicy(trx);
    const { rows: services } = await listKmsRows(trx, ALL_KMS);
    const hosts = new Map<number, UsableHosts>();
    let after: WaitingMember | null = null;
    for (let seen = 0; seen < most; seen += BATCH_SIZE) {
      const line: WaitingMember[] = await lockSizeLine(trx, { after, limit: BATCH_SIZE });
      for (const member of line) {
        const known = hosts.get(member.team_id) ?? (await usableHosts(trx, member.team_id, services));
        hosts.set(member.team_id, known);
        const left = known[member.gpus > 0 ? 'with_gpus' : 'without'].map((host) =>
          less(host, promised.get(host.teepod_id)),
        );
        const host = hostFor(member, left, types, policy);
        if (!host) continue;
        promised.set(host.teepod_id, both(promised.get(host.teepod_id), member));
        await notify(trx, outbox, member, host.teepod_id);
      }
      after = line.at(-1) ?? null;
      if (line.length < BATCH_SIZE) return;
    }
    const left = await countSizeLine(trx, after);
    if (left === 0) return;
    log.warn({ task: TASK, left }, 'the waitlist for room is too long; its end was not read');
    cutShort(TASK, left);
  });
}

/** Hosts that a deployment with or without GPUs can be placed on if they have room. */
interface UsableHosts {
  with_gpus: TeepodCapacity[];
  without: TeepodCapacity[];
}

async function usableHosts(trx: Tx, team_id: number, services: readonly KmsRow[]): Promise<UsableHosts> {
  const all = await teepodCapacities(trx, { team_id });
  const placeable = all.filter((host) => services.some((kms) => canUseKms(host, kms)));
  const images = await imagesOf(
    trx,
    placeable.map(({ teepod_id }) => teepod_id),
  );
  const having = (with_gpu: boolean) => {
    const ids = new Set(
      images.filter((image) => isUsableImage(image, {}, with_gpu)).map(({ teepod_id }) => teepod_id),
    );
    return placeable.filter(({ teepod_id }) => ids.has(teepod_id));
  };
  return { with_gpus: having(true), without: having(false) };
}

/** Returns the host that a deployment would be placed on; undefined if none has room. */
function hostFor(
  wanted: WantedRoom,
  hosts: readonly TeepodCapacity[],
  types: readonly InstanceTypeRow[],
  policy: PlacementPolicy,
): TeepodCapacity | undefined {
  for (const size of sizesFor(wanted, types)) {
    const [best] = rank(hosts, { size, gpus: wanted.gpus }, policy);
    if (best) return best;
  }
  return undefined;
}

/** The size waited for; for GPUs alone, any with this many. Without such a size, only the GPUs count. */
function sizesFor({ gpus, vcpu, memory_mb, disk_gb }: WantedRoom, types: readonly InstanceTypeRow[]): Size[] {
  const size = { vcpu, memory_mb, disk_gb };
  if (isSize(size)) return [size];
  const listed = types.filter(({ gpu_count }) => gpu_count === gpus);
  if (listed.length === 0) return [size];
  return listed.map((type) => ({
    vcpu: type.vcpu,
    memory_mb: type.memory_mb,
    disk_gb: type.default_disk_size_gb,
  }));
}

const isSize = ({ vcpu, memory_mb, disk_gb }: Size) => vcpu > 0 || memory_mb > 0 || disk_gb > 0;

const less = (host: TeepodCapacity, promised: PromisedRoom | undefined): TeepodCapacity =>
  promised
    ? {
        ...host,
        slots: host.slots - promised.slots,
        reservations: host.reservations + promised.slots,
        gpus: host.gpus - promised.gpus,
        vcpu: host.vcpu - promised.vcpu,
        memory_mb: host.memory_mb - promised.memory_mb,
        disk_gb: host.disk_gb - promised.disk_gb,
      }
    : host;

const both = (promised: PromisedRoom | undefined, more: WantedRoom): PromisedRoom => ({
  slots: (promised?.slots ?? 0) + 1,
  gpus: (promised?.gpus ?? 0) + more.gpus,
  vcpu: (promised?.vcpu ?? 0) + more.vcpu,
  memory_mb: (promised?.memory_mb ?? 0) + more.memory_mb,
  disk_gb: (promised?.disk_gb ?? 0) + more.disk_gb,
});

async function notify(trx: Tx, outbox: MailOutbox, member: WaitingMember, teepod_id: number): Promise<void> {
  const { email, gpus, team_id, user_id, team_name, team_slug } = member;
  const about = { team_name, team_slug, minutes: PROMISED_MINUTES };
  const to = { to: email, user_id, team_id };
  await outbox.enqueue(
    trx,
    isSize(member)
      ? { ...to, template: 'room_free', data: { ...about, room: roomText(member) } }
      : { ...to, template: 'gpus_free', data: { ...about, gpus } },
  );
  await noteWaiterNotified(trx, member.id, teepod_id);
}
