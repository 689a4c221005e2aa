import { ownValue } from '../../../console/lib/ownValue';
import type { AdminRecord } from '../../record';
import type { FieldDescription } from '../types';

export const NO_LONGER_PLANNED = 'No longer planned';

/** Whether a planned time no longer applies because its plan, such as a drain, was canceled or finished earlier. */
export function isDropped({ plannedUntil, name }: FieldDescription, record: AdminRecord): boolean {
  const [ended, at] = [ownValue(record, plannedUntil ?? ''), ownValue(record, name)];
  return typeof ended === 'string' && typeof at === 'string' && Date.parse(at) > Date.parse(ended);
}
