import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { endViewAsMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { SessionViewAs } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { adminPath } from '../../lib/paths';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';

/** A page load, so that nothing of the person that was looked at stays in memory. */
const leave = () => location.replace(adminPath('users'));

/** Over every page while staff look at the console as somebody else: as whom, why, how long still, and the way out. */
export function ViewAsBanner({ viewing }: { viewing: SessionViewAs }) {
  const { user } = useSession();
  const minutes = useMinutesLeft(viewing.expires_at);
  const end = useMutation({ ...endViewAsMutation(), onSuccess: leave });
  const problem = problemOf(end.error, 'It was not ended');
  return (
    <>
      <Notice
        bar
        tone="attention"
        title={`You see the console as ${user?.username ?? 'somebody else'} (${user?.email ?? ''}). Nothing can be changed.`}
        action={
          <Button
            variant="outlined"
            color="inherit"
            size="small"
            disabled={end.isPending}
            onClick={() => end.mutate({})}
          >
            End
          </Button>
        }
      >
        {viewing.staff}: {viewing.reason}. Ends by itself in{' '}
        {minutes < 1 ? 'less than a minute' : `${minutes} min`}.
      </Notice>
      {problem && <ErrorNotice problem={problem} />}
    </>
  );
}

const minutesUntil = (time: string) => Math.max(0, Math.floor((Date.parse(time) - Date.now()) / 60_000));

/** Whole minutes; when there are none left, the page is left. */
function useMinutesLeft(expires_at: string): number {
  const [minutes, setMinutes] = useState(() => minutesUntil(expires_at));
  useEffect(() => {
    const timer = setInterval(() => {
      setMinutes(minutesUntil(expires_at));
      if (Date.now() >= Date.parse(expires_at)) leave();
    }, 1_000);
    return () => clearInterval(timer);
  }, [expires_at]);
  return minutes;
}
