import { adminHref } from '../../paths';
import { referencesTo } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';
import { RecordFrame } from '../RecordFrame';
import { ShortList } from '../ShortList';

/** Announcements about a KMS don't depend on it. */
const dependents = (resource: ResourceDescription) =>
  referencesTo(resource.name).filter(({ resource: child }) => child.name !== 'announcements');

/** Everything that depends on a key management service: hosts, contracts, apps and CVMs. */
export function Relationships({ resource }: { resource: ResourceDescription }) {
  return (
    <RecordFrame resource={resource} label="Relationships">
      {({ id }) =>
        dependents(resource).map(({ resource: child, field }) => (
          <ShortList
            key={child.name}
            resource={child}
            filter={{ [field.name]: id }}
            href={adminHref.child(resource.name, id, child.name)}
            empty={`No ${child.plural} use this KMS.`}
          />
        ))
      }
    </RecordFrame>
  );
}
