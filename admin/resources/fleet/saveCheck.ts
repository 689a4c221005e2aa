import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { fetchJson } from '../../http';
import type { AdminRecord } from '../../record';

const SENT = [
  'url',
  'credential_kind',
  'credential',
  'kms_id',
  'max_cvms',
  'max_vcpu',
  'max_memory_mb',
  'max_disk_gb',
];

/** Returns the form's values that a check needs. */
export const checkBody = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => SENT.includes(key) && value !== null && value !== undefined && value !== '',
    ),
  );

/** Whether saving changes how the server connects to the host. The stored credential is never sent to the form. */
export const changesConnection = (
  values: Readonly<Record<string, unknown>>,
  record: AdminRecord | undefined,
): boolean =>
  record === undefined ||
  values.url !== record.url ||
  values.credential_kind !== record.credential_kind ||
  (values.credential !== undefined && values.credential !== null && values.credential !== '');

/** Checks a host before it is saved. Returns the failed checks; none if the connection doesn't change. */
export async function failedChecks(
  values: Readonly<Record<string, unknown>>,
  record: AdminRecord | undefined,
): Promise<AdminTeepodCheck['checks']> {
  if (!changesConnection(values, record)) return [];
  const { json } = await fetchJson('/api/v1/admin/teepod-checks', {
    method: 'POST',
    body: JSON.stringify(checkBody(values)),
  });
  return (json as AdminTeepodCheck).checks.filter(({ state }) => state === 'failed');
}
