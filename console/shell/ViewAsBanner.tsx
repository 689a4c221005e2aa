import { PendingButton } from '../ui/controls/PendingButton';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { endViewAsMutation } from '../../generated/api/@tanstack/react-query.gen';
import type { SessionViewAs } from '../../generated/api/types.gen';
import { problemOf } from '../api/problem';
import { useSession } from '../api/session';
import { adminPath } from '../lib/paths';
import { ErrorNotice } from '../ui/feedback/ErrorNotice';
import { Notice } from '../ui/feedback/Notice';

/** A page load, so that none of the user's data stays in memory. */
const leave = () => location.replace(adminPath('users'));

/** Banner while staff view the console as another user: the user, the reason, the time left and a way out. */
export function ViewAsBanner({ viewing }: { viewing: SessionViewAs }) {
  const { user } = useSession();
  const minutes = useMinutesLeft(viewing.expires_at);
  const end = useMutation({ ...endViewAsMutation(), onSuccess: leave });
  const problem = problemOf(end.error, 'Couldn’t end the view');
  return (
    <>
      <Notice
        bar
        tone="attention"
        title={`You’re viewing the console as ${user?.username ?? 'another user'} (${user?.email ?? ''}), read-only.`}
        action={
          <PendingButton size="small" pending={end.isPending} onClick={() => end.mutate({})}>
            End
          </PendingButton>
        }
      >
        {viewing.staff}: {viewing.reason}. Ends automatically in{' '}
        {minutes < 1 ? 'less than a minute' : `${minutes} min`}.
      </Notice>
      {problem && <ErrorNotice problem={problem} />}
    </>
  );
}

const minutesUntil = (time: string) => Math.max(0, Math.floor((Date.parse(time) - Date.now()) / 60_000));

/** Returns whole minutes left and leaves the page at zero. */
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
