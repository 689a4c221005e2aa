import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { findResource } from '../../schema/resources';
import { ShortList } from '../ShortList';

/**
 * This server's apps that a KMS contract decides about. Others may be registered with it, too: it is open to
 * anyone.
 */
export function ContractApps({ record: { kms_id } }: { record: AdminRecord }) {
  const apps = findResource('apps');
  if (!apps || typeof kms_id !== 'number') return null;
  return (
    <ShortList
      resource={apps}
      filter={{ kms_id }}
      title="Apps on this server"
      href={adminHref.child('kms', kms_id, 'apps')}
      empty="No apps on this server get their keys through this contract."
    />
  );
}
