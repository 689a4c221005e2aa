import { useState } from 'react';
import { exactTime } from '../../../console/ui/data/time';
import type { AdminRecord } from '../../record';
import { Reach } from './Reach';
import { useAudience } from './useAudience';

/** Who an announcement will reach once published, and when. */
export function PublishReach({ record }: { record: AdminRecord }) {
  const { data, isError } = useAudience(record.id);
  const { starts_at } = record;
  const [now] = useState(() => Date.now());
  const isLater = typeof starts_at === 'string' && Date.parse(starts_at) > now;
  return (
    <>
      {data !== undefined ? (
        <Reach users={data} everybody={record.audience === 'everybody'} future />
      ) : (
        !isError && 'Counting users…'
      )}{' '}
      {isLater ? `It appears on ${exactTime(starts_at)}.` : 'It appears immediately.'}
    </>
  );
}
