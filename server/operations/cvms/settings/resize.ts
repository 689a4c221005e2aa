import { freeCover } from '../../../db/billing/orders/cover';
import { typeNamed } from '../../../db/catalog/catalog';
import { teepodCapacities } from '../../../db/hosts/reservations';
import type { Db } from '../../../db/core/client';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import type { OperationPayload } from '../../../db/activity/operationsTable';
import { ratesOf, ratesWithDisk, type Rates } from '../../../domain/billing/pricing';
import { Problem } from '../../../domain/core/problem';
import type { Write } from '../../types';
import { quotaRefusal } from '../deploy/plan';

export interface NewSize {
  vcpu?: number | undefined;
  memory?: number | undefined;
  disk_size?: number | undefined;
  instance_type?: string | undefined;
}

/** GPUs, and so their rate, never change. */
const pick = ({ hourly_rate_micros, disk_rate_micros }: Rates) => ({ hourly_rate_micros, disk_rate_micros });

export const sizeUnchanged = () =>
  new Problem('INVALID_REQUEST', { message: 'The CVM already has this size.' });

/**
 * Rejects a change that restarts a running CVM without permission to do so. @throws WRONG_STATE
 */
export function checkRestart({ cvm }: JoinedCvm, allow_restart: boolean | 0 | 1 | undefined): void {
  if (allow_restart === undefined || allow_restart === true || allow_restart === 1) return;
  if (cvm.desired !== 'running') return;
  throw new Problem('WRONG_STATE', {
    message: 'This change restarts a running CVM, but allow_restart is off.',
    details: [{ field: 'allow_restart', value: allow_restart }],
    suggestions: ['Send allow_restart: true, or stop it first.'],
  });
}

/** Returns the part of the CVM an order covers after a resize, by its current order or a free one. */
export async function coverAfter(
  db: Db | Write['trx'],
  cvm: CvmRow,
  instance_type: string | null,
): Promise<Pick<CvmRow, 'covers' | 'covered_until'>> {
  const { covers, covered_until } = cvm;
  if (instance_type === cvm.instance_type) return { covers, covered_until };
  return (await freeCover(db, cvm.team_id, instance_type)) ?? { covers: null, covered_until: null };
}

/**
 * Returns size and rates after a resize, and `grown`, the rates if only the disk grows; undefined if the CVM
 * already has the size. @throws Problem for a size the CVM can't have
 */
export async function resized(db: Db | Write['trx'], cvm: CvmRow, wanted: NewSize) {
  const type = wanted.instance_type
    ? await db
        .selectFrom('instance_types')
        .selectAll()
        .where('id', '=', wanted.instance_type)
        .where('state', '=', 'active')
        .executeTakeFirst()
    : undefined;
  if (wanted.instance_type && !type)
    throw new Problem('INSTANCE_TYPE_NOT_FOUND', {
      details: [
        {
          field: 'instance_type',
          value: wanted.instance_type,
          message: `Unknown instance type “${wanted.instance_type}”`,
        },
      ],
    });
  if (type?.requires_gpu)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: "A GPU can't be added to an existing CVM. Deploy a new one.",
    });
  const size = {
    vcpu: wanted.vcpu ?? type?.vcpu ?? cvm.vcpu,
    memory_mb: wanted.memory ?? type?.memory_mb ?? cvm.memory_mb,
    disk_gb: wanted.disk_size ?? cvm.disk_gb,
  };
  if (cvm.gpus > 0 && (size.vcpu !== cvm.vcpu || size.memory_mb !== cvm.memory_mb))
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: 'A CVM with GPUs keeps the vCPU and memory of its instance type; only its disk can grow.',
      suggestions: ['Deploy a new CVM with another size.'],
    });
  if (size.disk_gb < cvm.disk_gb) {
    throw new Problem('INVALID_REQUEST', {
      message: `The disk is ${cvm.disk_gb} GB and can't shrink to ${size.disk_gb} GB.`,
      details: [{ field: 'disk_size', value: size.disk_gb }],
      suggestions: [`Send ${cvm.disk_gb} or more, or leave disk_size out.`],
    });
  }
  const asListed = type && type.vcpu === size.vcpu && type.memory_mb === size.memory_mb;
  const sameSize = size.vcpu === cvm.vcpu && size.memory_mb === cvm.memory_mb && size.disk_gb === cvm.disk_gb;
  // A custom-size CVM can become the type with this size.
  if (sameSize && (!asListed || cvm.gpus > 0 || type.id === cvm.instance_type)) return undefined;
  const onlyDisk = !type && size.vcpu === cvm.vcpu && size.memory_mb === cvm.memory_mb;
  const grown = pick(ratesWithDisk(cvm, size.disk_gb, await typeNamed(db, cvm.instance_type)));
  if (cvm.gpus > 0 || (onlyDisk && cvm.instance_type !== null))
    return { size, grown, payload: { ...size, instance_type: cvm.instance_type, ...grown } };
  return {
    size,
    grown,
    payload: {
      ...size,
      instance_type: asListed ? type.id : null,
      ...pick(ratesOf(size, asListed ? type : null)),
    },
  };
}

/**
 * Checks the new size against host and quota, and reserves the larger of old and new until the resize ends,
 * so that both success and failure have capacity. Returns undefined if the CVM already has the size.
 */
export async function resizePayload(
  { trx }: Write,
  { cvm, teepod }: JoinedCvm,
  wanted: NewSize,
): Promise<OperationPayload | undefined> {
  const change = await resized(trx, cvm, wanted);
  if (!change) return undefined;
  const { size, grown, payload } = change;
  // Not FOR UPDATE: transactions that hold the host insert rows that reference the team.
  await trx.selectFrom('teams').select('id').where('id', '=', cvm.team_id).forNoKeyUpdate().execute();
  await trx.selectFrom('teepods').select('id').where('id', '=', cvm.teepod_id).forNoKeyUpdate().execute();
  const more = {
    vcpu: Math.max(0, size.vcpu - cvm.vcpu),
    memory_mb: Math.max(0, size.memory_mb - cvm.memory_mb),
    disk_gb: Math.max(0, size.disk_gb - cvm.disk_gb),
  };
  const refused = await quotaRefusal(trx, cvm.team_id, more, 0);
  if (refused) throw refused;
  const [found] = await teepodCapacities(trx, {
    team_id: cvm.team_id,
    teepod_id: cvm.teepod_id,
    include_closed: true,
  });
  // Less than nothing is free where more is held and used than the host has. What doesn't grow needs none of it.
  const free = {
    vcpu: Math.max(0, found?.vcpu ?? 0),
    memory_mb: Math.max(0, found?.memory_mb ?? 0),
    disk_gb: Math.max(0, found?.disk_gb ?? 0),
  };
  if (free.vcpu < more.vcpu)
    throw new Problem('INSUFFICIENT_VCPU', {
      message: `The host ${teepod.name} has ${free.vcpu} vCPU free; ${more.vcpu} more needed (limit: vCPU).`,
    });
  if (free.memory_mb < more.memory_mb)
    throw new Problem('INSUFFICIENT_MEMORY', {
      message: `The host ${teepod.name} has ${free.memory_mb} MB of memory free; ${more.memory_mb} MB more needed (limit: memory).`,
    });
  if (free.disk_gb < more.disk_gb)
    throw new Problem('INVALID_REQUEST', {
      message: `The host ${teepod.name} has ${free.disk_gb} GB of disk free; ${more.disk_gb} GB more needed (limit: disk).`,
    });
  await trx
    .updateTable('reservations')
    .set({
      vcpu: cvm.vcpu + more.vcpu,
      memory_mb: cvm.memory_mb + more.memory_mb,
      disk_gb: cvm.disk_gb + more.disk_gb,
    })
    .where('cvm_id', '=', cvm.id)
    .execute();
  return { ...payload, grown };
}
