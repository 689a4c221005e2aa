import { adminHref } from '../../paths';
import { pointingAt } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';
import { RecordFrame } from '../RecordFrame';
import { ShortList } from '../ShortList';

/** What is told of a KMS is not bound to it. */
const bound = (resource: ResourceDescription) =>
  pointingAt(resource.name).filter(({ resource: child }) => child.name !== 'announcements');

/** Everything that stands and falls with a key management service: hosts, contracts, apps, CVMs. */
export function Relationships({ resource }: { resource: ResourceDescription }) {
  return (
    <RecordFrame resource={resource} label="Relationships">
      {({ id }) =>
        bound(resource).map(({ resource: child, field }) => (
          <ShortList
            key={child.name}
            resource={child}
            filter={{ [field.name]: id }}
            href={adminHref.child(resource.name, id, child.name)}
            empty={`No ${child.singular} is bound to it.`}
          />
        ))
      }
    </RecordFrame>
  );
}
