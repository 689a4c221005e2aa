import type { OperationType, TextKey } from '../../../generated/api/types.gen';
import { withArticle } from '../cvms/operationWords';
import { capitalized } from './capitalized';
import { writerOf } from './text';

type Resource = NonNullable<TextKey['params']['resource']>;

interface Excess {
  resource: Resource;
  count: number;
  limit: number;
}

const RESOURCES: Readonly<Record<Resource, string>> = {
  cvms: 'CVM slots',
  vcpu: 'vCPUs',
  memory_mb: 'MB of memory',
  disk_gb: 'GB of disk',
};

/** Why hosts need attention, and how a repair handled each difference. */
export const HOST_TEXTS = {
  node_closed: ({ status }: { status: string }) =>
    `The node is ${status === 'maintenance' ? 'in maintenance' : status}, so its teepods don’t accept new CVMs.`,
  teepod_silent: () => 'It isn’t responding.',
  teepod_error: ({ text }: { text: string }) => `It isn’t responding: ${text}`,
  teepod_warning: ({ text }: { text: string }) => text,
  drain_blocked: () => 'Its drain is blocked.',
  /** A drain's message from an earlier version. */
  drain_said: ({ text }: { text: string }) => text,
  drift: ({ count }: { count: number }) =>
    `Host and database differ for ${count === 1 ? 'one CVM' : `${count} CVMs`}.`,
  capacity_missing: () => 'Its capacity isn’t fully configured, so nothing can be placed on it.',
  overcommitted: ({ resource, count, limit }: Excess) =>
    `${RESOURCES[resource]} are overcommitted: ${count} configured, ${limit} on the host.`,
  host_cvm_limit: ({ count, limit }: { count: number; limit: number }) =>
    `Max CVMs is ${count}, but the host runs at most ${limit}. The host’s limit applies.`,
  over_limit: ({ resource, count, limit }: Excess) =>
    `More ${RESOURCES[resource]} are in use (${count}) than configured (${limit}).`,
  slots_full: () => 'All CVM slots are in use.',

  repair_deleted: () => 'Deleted in the meantime.',
  repair_live: ({ operation }: { operation: OperationType }) =>
    `${capitalized(withArticle(operation))} is already in progress.`,
  repair_rollback_live: () => 'A rollback is already in progress.',
  repair_recreate: () =>
    'Recreating its VM with an empty disk, because the old one no longer exists on the host.',
  repair_recreate_later: () => 'Stopped. Its VM will be recreated with an empty disk when started.',
  repair_missing: () =>
    'The host doesn’t list its VM. Nothing is created in its place: it recovers when the host lists the VM again.',
  repair_other_vm: () => 'It uses this VM now. The one it used before is kept if the host lists it again.',
  repair_duplicate: () =>
    'A second VM of a CVM. It isn’t removed, because it may hold data. Compare both, then remove it on the host.',
  repair_stop: () => 'Stopping it on the host too.',
  repair_update_later: () => 'Stopped. Its VM will be updated when started.',
  repair_start: () => 'Starting it again.',
  repair_restart: () => 'Restarting with the settings from the database.',
  repair_remove: () => 'Removing it from the host with its disk.',
  repair_foreign: () => 'Not created by this server, so it isn’t changed. Remove it on the host.',
  repair_unknown: () =>
    'Left unchanged: this server doesn’t know its CVM, or the CVM is on another teepod, which may be the same host.',
} as const;

export const hostText = writerOf(HOST_TEXTS);
