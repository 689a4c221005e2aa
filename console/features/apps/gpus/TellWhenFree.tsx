import styled from '@emotion/styled';
import { problemOf } from '../../../api/problem';
import { gpuPath } from '../../../lib/paths';
import { Button } from '../../../ui/controls/Button';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { TextLink } from '../../../ui/link';
import { space } from '../../../ui/theme';
import { gpusText, useGpuWait } from './useGpuWait';

const Line = styled('div')({ display: 'grid', gap: space(2), justifyItems: 'start', marginTop: space(2) });

interface Props {
  teamSlug: string;
  /** GPUs of the chosen size. */
  gpus: number;
}

/** Offers to email the user once a host of the team has enough free GPUs for the chosen size. */
export function TellWhenFree({ teamSlug, gpus }: Props) {
  const { query, change } = useGpuWait(teamSlug);
  const wait = query.data?.wait;
  // Whether the user waits is unknown; the GPU page shows the error.
  if (wait === undefined) return null;
  const problem = problemOf(change.error, 'Couldn’t join the waitlist');
  const current = wait?.notified_at === null ? wait.gpus : null;
  return (
    <Line>
      {problem && <ErrorNotice problem={problem} />}
      {current === gpus ? (
        <span role="status">
          You’ll get an email when {gpusText(gpus)} {gpus === 1 ? 'is' : 'are'} free.{' '}
          <TextLink href={gpuPath(teamSlug)}>View the waitlist</TextLink>
        </span>
      ) : (
        <>
          {current !== null && (
            <span>
              You’re on the waitlist for {gpusText(current)}. Waiting for {gpusText(gpus)} replaces that.
            </span>
          )}
          <Button size="small" disabled={change.isPending} onClick={() => change.mutate(gpus)}>
            Tell me when {gpusText(gpus)} {gpus === 1 ? 'is' : 'are'} free
          </Button>
        </>
      )}
    </Line>
  );
}
