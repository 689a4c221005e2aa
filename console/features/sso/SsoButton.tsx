import KeyRounded from '@mui/icons-material/KeyRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import type { StartSso } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { space } from '../../ui/theme';
import { leaveForProvider } from './requests';

const Box = styled('div')({ display: 'grid', gap: space(3) });

interface Props {
  /** By one connection, or by that of a team. */
  by: Pick<StartSso, 'connection_id'> | Pick<StartSso, 'team_slug'>;
  /** Where to go afterwards. */
  next?: string | undefined;
  label?: string;
}

/** Signs in through a team's provider. */
export function SsoButton({ by, next, label = 'Sign in with single sign-on' }: Props) {
  const start = useMutation({
    mutationFn: () => leaveForProvider({ ...by, ...(next === undefined ? {} : { next }) }),
  });
  // It stays busy after success: the browser is on its way.
  const busy = start.isPending || start.isSuccess;
  return (
    <Box>
      <Button
        variant="outlined"
        fullWidth
        disabled={busy}
        onClick={() => start.mutate()}
        startIcon={busy ? <Spinner /> : <KeyRounded />}
      >
        {label}
      </Button>
      {start.error && <ErrorNotice problem={problemOf(start.error, 'You are not signed in')!} />}
    </Box>
  );
}
