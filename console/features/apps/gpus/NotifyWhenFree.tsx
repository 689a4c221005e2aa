import styled from '@emotion/styled';
import type { GpuWait } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { gpuPath } from '../../../lib/paths';
import { roomText, type Room } from '../../../lib/texts/roomText';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { TextLink } from '../../../ui/link';
import { space } from '../../../ui/theme';
import { blockedText } from './blockedText';
import { useSizeWait } from './useSizeWait';

const Line = styled('div')({ display: 'grid', gap: space(2), justifyItems: 'start', marginTop: space(2) });

interface Props {
  teamSlug: string;
  /** What the chosen size needs: its GPUs, or capacity for it. */
  room: Room;
}

/** Offers to email the user once a host of the team has capacity for the chosen size. */
export function NotifyWhenFree({ teamSlug, room }: Props) {
  const { query, change } = useSizeWait(teamSlug);
  const wait = query.data?.wait;
  // Whether the user waits is unknown; the GPU page shows the error.
  if (wait === undefined) return null;
  const problem = problemOf(change.error, 'Couldn’t change the waitlist');
  const current = wait?.notified_at === null ? wait : null;
  const text = roomText(room);
  const blocked = current && blockedText(current);
  const free = `${text} ${room.gpus === 1 ? 'is' : 'are'} free`;
  return (
    <Line>
      {problem && <ErrorNotice problem={problem} />}
      {blocked && <span>{blocked}</span>}
      {current !== null && isSame(current, room) ? (
        room.gpus > 0 ? (
          <span role="status">
            You’ll get an email when {free}. <TextLink href={gpuPath(teamSlug)}>View the waitlist</TextLink>
          </span>
        ) : (
          <>
            <span role="status">You’ll get an email when a host has capacity for {text}.</span>
            <PendingButton size="small" pending={change.isPending} onClick={() => change.mutate(null)}>
              Leave the waitlist
            </PendingButton>
          </>
        )
      ) : (
        <>
          {wait?.held_until && (
            <span>An offer of {roomText(wait)} is held for your team. Joining the waitlist gives it up.</span>
          )}
          {current !== null && (
            <span>
              You’re on the waitlist for {roomText(current)}. Joining for {text} replaces that entry.
            </span>
          )}
          <PendingButton size="small" pending={change.isPending} onClick={() => change.mutate(room)}>
            {room.gpus > 0 ? `Notify me when ${free}` : 'Notify me when there’s capacity'}
          </PendingButton>
        </>
      )}
    </Line>
  );
}

const isSame = (wait: GpuWait, room: Room): boolean =>
  wait.gpus === room.gpus &&
  wait.vcpu === room.vcpu &&
  wait.memory_mb === room.memory_mb &&
  wait.disk_gb === room.disk_gb;
