import { counted } from '../../../console/lib/texts/count';
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
      {({ id, teepod_count }) =>
        dependents(resource).map(({ resource: child, field }) => (
          <ShortList
            key={child.name}
            resource={child}
            filter={{ [field.name]: id }}
            href={adminHref.child(resource.name, id, child.name)}
            empty={
              child.name === 'teepods' && typeof teepod_count === 'number' && teepod_count > 0
                ? `No teepod has this as its own KMS. ${counted(teepod_count, ['teepod offers', 'teepods offer'])} it besides ${teepod_count === 1 ? 'its' : 'their'} own.`
                : `No ${child.plural} use this KMS.`
            }
          />
        ))
      }
    </RecordFrame>
  );
}
