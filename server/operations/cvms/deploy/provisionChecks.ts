import { formatMicros } from '../../../../console/lib/billing/money';
import type { LockedProvision } from '../../../db/apps/provisions';
import type { ProvisionRow } from '../../../db/apps/provisionsTable';
import type { InstanceTypeRow } from '../../../db/catalog/instanceTypesTable';
import type { Rates } from '../../../domain/billing/pricing';
import { Problem, type ProblemInfo } from '../../../domain/core/problem';
import { gpusOf } from './sizeOf';

/*
 * A provision stays open for days, in which what it uses may change. It is committed only as what its team saw.
 */

const gone = (message: string, details: ProblemInfo['details'] = []) =>
  new Problem('PROVISION_EXPIRED', {
    message,
    details,
    suggestions: ['Provision again and commit the result.'],
  });

/** @throws PROVISION_EXPIRED if something it uses was retired or removed */
export function requireInUse({
  kms_slug,
  kms_state,
  os_image,
  image_state,
  instance_type,
  type_state,
}: LockedProvision): void {
  if (kms_state !== null && kms_state !== 'active')
    throw gone(
      `The key management service “${kms_slug}” was set to ${kms_state} since the reservation, and no longer accepts new apps.`,
    );
  if (image_state === null || image_state === 'retired')
    throw gone(
      `The OS image “${os_image}” has been ${image_state ?? 'removed from the host'} since the reservation.`,
    );
  if (type_state === 'retired')
    throw gone(`The instance type “${instance_type}” has been retired since the reservation.`);
}

/**
 * A lower price applies right away.
 * @param type as of now; null for a custom size
 * @param rates of the provision's size, as of now
 * @throws PROVISION_EXPIRED if the type has another size now, or the CVM would cost more than when it was provisioned
 */
export function requireSameOffer(
  {
    vcpu,
    memory_mb,
    gpus,
    hourly_rate_micros: shown,
  }: Pick<ProvisionRow, 'vcpu' | 'memory_mb' | 'gpus' | 'hourly_rate_micros'>,
  type: InstanceTypeRow | null,
  { hourly_rate_micros: now }: Pick<Rates, 'hourly_rate_micros'>,
): void {
  if (type && (type.vcpu !== vcpu || type.memory_mb !== memory_mb || gpusOf(type) !== gpus))
    throw gone(`The size of the instance type “${type.id}” has changed since the reservation.`);
  if (shown !== null && now > shown)
    throw gone(
      `The price of ${type ? `the instance type “${type.id}”` : 'this size'} has risen since the reservation, from $${formatMicros(shown)} to $${formatMicros(now)} an hour.`,
      [
        { field: 'hourly_rate', value: formatMicros(now) },
        { field: 'previous_hourly_rate', value: formatMicros(shown) },
      ],
    );
}
