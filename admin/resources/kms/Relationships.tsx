import { counted } from '../../../console/lib/texts/count';
import { childFilter, type Child } from '../../pages/related/child';
import { useTotal } from '../../pages/related/useTotal';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { referencesTo } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';
import { RecordFrame } from '../RecordFrame';
import { SHORT_ROWS, ShortList } from '../ShortList';

/** Announcements about a KMS don't depend on it. */
const dependents = (resource: ResourceDescription) =>
  referencesTo(resource.name).filter(({ resource: child }) => child.name !== 'announcements');

/** Everything that depends on a key management service: hosts, contracts, apps and CVMs. */
export function Relationships({ resource }: { resource: ResourceDescription }) {
  return (
    <RecordFrame resource={resource} label="Relationships">
      {(record) => <Lists resource={resource} record={record} lists={dependents(resource)} />}
    </RecordFrame>
  );
}

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  lists: readonly Child[];
}

/** Shows each list once the row count of the previous one is known, so that nothing moves. */
function Lists({ resource, record, lists: [first, ...others] }: Props) {
  const total = useTotal(first, record);
  if (first === undefined || total === undefined) return null;
  const { id, teepod_count } = record;
  const child = first.resource;
  return (
    <>
      <ShortList
        resource={child}
        filter={childFilter(first, id)}
        href={adminHref.child(resource.name, id, child.name)}
        expected={Math.min(total, SHORT_ROWS)}
        empty={
          child.name === 'teepods' && typeof teepod_count === 'number' && teepod_count > 0
            ? `No teepod uses this as its own KMS. ${counted(teepod_count, ['teepod offers', 'teepods offer'])} it in addition to ${teepod_count === 1 ? 'its' : 'their'} own.`
            : `No ${child.plural} use this KMS.`
        }
      />
      <Lists resource={resource} record={record} lists={others} />
    </>
  );
}
