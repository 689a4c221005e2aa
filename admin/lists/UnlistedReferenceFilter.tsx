import { titleOf } from '../record';
import { useOpenRecords } from '../schema/openRecords';
import type { ResourceDescription } from '../schema/types';
import { plain } from '../schema/value';
import { CommitOnBlurInput } from './CommitOnBlurInput';

interface Props {
  label: string;
  target: ResourceDescription;
  value: unknown;
  set: (chosen: string) => void;
}

/**
 * Filters by the ID of a resource that the user can't list. Suggests public records; others, such as a retired
 * instance type, can be typed.
 */
export function UnlistedReferenceFilter({ label, target, value, set }: Props) {
  const records = useOpenRecords(target);
  return (
    <CommitOnBlurInput
      label={label}
      help="Exact match"
      value={plain(value)}
      {...(records === undefined
        ? {}
        : {
            suggestions: records.map((record) => ({
              value: String(record.id),
              label: titleOf(target, record),
            })),
          })}
      onCommit={set}
    />
  );
}
