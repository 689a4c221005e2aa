import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { findResource } from '../../schema/resources';
import { ShortList } from '../ShortList';

/** Other events of the same operation: its request, steps and end. */
export function OperationEvents({ record }: { record: AdminRecord }) {
  const { correlation_id } = record;
  const resource = findResource('instance-events');
  if (typeof correlation_id !== 'string' || !resource) return null;
  return (
    <ShortList
      resource={resource}
      filter={{ correlation_id }}
      href={adminHref.list('instance-events', { correlation_id })}
      title="Events of this operation"
      rows={20}
      empty="None."
    />
  );
}
