import { formatMicros } from '../../../console/lib/billing/money';
import type { RecycledCvm } from '../../../generated/api/types.gen';
import { composeFacts } from '../apps/composeFacts';
import { stoppedHourlyRate } from '../billing/pricing';
import { publicUrls, type CvmDetailFields } from './cvmResponse';
import { short, userRef, type UserFields } from '../core/references';
import { textKeys } from '../core/textKeys';

export interface RecycledFields {
  row: CvmDetailFields & {
    cvm: { deleted_at: Date | null; purge_at: Date | null; encrypted_env: string | null };
    revision: { allowed_envs: readonly string[] };
  };
  deleted_by: UserFields | null;
  name_taken: boolean;
  starts: boolean;
}

export function toRecycledCvm({ row, deleted_by, name_taken, starts }: RecycledFields): RecycledCvm {
  const { cvm, app, revision, teepod, kms, operation } = row;
  const deleted_at = cvm.deleted_at ?? cvm.updated_at;
  return {
    id: cvm.public_id,
    vm_uuid: cvm.vm_uuid,
    name: cvm.name,
    app_id: app.app_id,
    status: cvm.status,
    status_reason: short(cvm.status_reason, 2000),
    status_reason_keys: textKeys(cvm.status_reason_keys),
    in_progress: operation !== null,
    vcpu: cvm.vcpu,
    memory: cvm.memory_mb,
    disk_size: cvm.disk_gb,
    hourly_rate: formatMicros(stoppedHourlyRate(cvm)),
    running_hourly_rate: formatMicros(cvm.hourly_rate_micros),
    starts,
    node_name: teepod.name,
    contract_chain_id: kms?.chain_id ?? null,
    deleted_at: deleted_at.toISOString(),
    deleted_by: userRef(deleted_by),
    purge_at: (cvm.purge_at ?? deleted_at).toISOString(),
    name_taken,
    lost: {
      disk_gb: cvm.disk_gb,
      secrets: cvm.encrypted_env === null ? [] : [...revision.allowed_envs].slice(0, 1000),
      public_urls: publicUrls(row, composeFacts(revision)).map(({ instance }) => instance),
    },
  };
}
