import KeyRoundIcon from 'lucide-react/icons/key-round';
import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import type { StartSso } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { space } from '../../../ui/theme';
import { leaveForProvider } from './requests';

const Box = styled('div')({ display: 'grid', gap: space(3) });

interface Props {
  /** Selects the connection by ID or by team, or the staff's provider. */
  by: Pick<StartSso, 'connection_id'> | Pick<StartSso, 'team_slug'> | Pick<StartSso, 'staff'>;
  /** Address to open after signing in. */
  next?: string | undefined;
  label?: string;
}

/** Signs in through a team's provider, or the staff's. */
export function SsoButton({ by, next, label = 'Sign in with single sign-on' }: Props) {
  const start = useMutation({
    mutationFn: () => leaveForProvider({ ...by, ...(next === undefined ? {} : { next }) }),
  });
  // Stays busy after success: the browser is leaving for the provider.
  const busy = start.isPending || start.isSuccess;
  return (
    <Box>
      <PendingButton
        variant="outlined"
        fullWidth
        pending={busy}
        onClick={() => start.mutate()}
        startIcon={<KeyRoundIcon />}
      >
        {label}
      </PendingButton>
      {start.error && <ErrorNotice problem={problemOf(start.error, 'Couldn’t sign in')!} />}
    </Box>
  );
}
