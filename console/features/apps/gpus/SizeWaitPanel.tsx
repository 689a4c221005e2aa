import styled from '@emotion/styled';
import { useState } from 'react';
import type { GpuWait } from '../../../../generated/api/types.gen';
import { loadProblem, problemOf } from '../../../api/problem';
import { ordersPath } from '../../../lib/paths';
import { gpusOnly, OFFER_MINUTES, roomText } from '../../../lib/texts/roomText';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { blockedText } from './blockedText';
import { useSizeWait } from './useSizeWait';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', maxWidth: '68ch' });
const Text = styled('p')({ ...type.body, color: color.muted });
const Line = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(3), alignItems: 'end' });

interface Props {
  teamSlug: string;
  /** The GPU counts of the sizes, ascending; not empty. */
  counts: number[];
}

/** Requests an email once enough GPUs are free. */
export function SizeWaitPanel({ teamSlug, counts }: Props) {
  const { query, change } = useSizeWait(teamSlug);
  const problem =
    loadProblem(query, 'Couldn’t load the waitlist') ??
    problemOf(change.error, 'Couldn’t change the waitlist');
  const wait = query.data?.wait;
  return (
    <Panel title="Waitlist" subtitle="Get an email when a host this team can use has enough free GPUs.">
      <Stack>
        {problem && <ErrorNotice problem={problem} />}
        {wait && wait.notified_at === null ? (
          <Waiting wait={wait} pending={change.isPending} onLeave={() => change.mutate(null)} />
        ) : (
          query.data && (
            <Join
              last={wait ?? null}
              counts={counts}
              pending={change.isPending}
              onJoin={(gpus) => change.mutate(gpusOnly(gpus))}
            />
          )
        )}
        <Text>
          Free GPUs are offered to one team at a time and held for {OFFER_MINUTES} minutes. For guaranteed
          capacity, <TextLink href={ordersPath(teamSlug)}>make a reservation</TextLink>.
        </Text>
      </Stack>
    </Panel>
  );
}

function Waiting({ wait, pending, onLeave }: { wait: GpuWait; pending: boolean; onLeave: () => void }) {
  const blocked = blockedText(wait);
  return (
    <>
      <p role="status">
        You joined the waitlist for {roomText(wait)} <RelativeTime at={wait.since} inWords />. Teams take
        turns, starting with those that got no offer in the last week. Within a team, the member who has
        waited longest is emailed first.
      </p>
      {blocked !== null && <Text>{blocked}</Text>}
      <PendingButton pending={pending} onClick={onLeave}>
        Leave the waitlist
      </PendingButton>
    </>
  );
}

interface JoinProps {
  /** The last waitlist entry that ended with an email. */
  last: GpuWait | null;
  counts: number[];
  pending: boolean;
  onJoin: (gpus: number) => void;
}

function Join({ last, counts, pending, onJoin }: JoinProps) {
  const [chosen, setChosen] = useState<number>();
  const gpus = chosen ?? counts[0] ?? 1;
  return (
    <>
      {last?.notified_at && (
        <p role="status">
          We emailed you <RelativeTime at={last.notified_at} inWords />, when {roomText(last)} became
          available.
          {last.held_until && (
            <>
              {' '}
              It’s held for your team; the offer ends <RelativeTime at={last.held_until} inWords />. Joining
              again gives it up.
            </>
          )}
        </p>
      )}
      <Line>
        <SelectInput
          label="GPUs"
          value={String(gpus)}
          choices={counts.map((count) => ({ value: String(count), label: roomText(gpusOnly(count)) }))}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
        <PendingButton pending={pending} onClick={() => onJoin(gpus)}>
          Join the waitlist
        </PendingButton>
      </Line>
    </>
  );
}
