import KeyRounded from '@mui/icons-material/KeyRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../../api/problem';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { space } from '../../ui/theme';
import { discover, leaveForProvider } from './requests';

const Box = styled('div')({ display: 'grid', gap: space(3) });

interface Props {
  /** The address typed so far. */
  email: string;
  next?: string | undefined;
  /** The address is missing: the form says so at its field. */
  onMissingEmail: () => void;
}

/** On the sign-in page: from the address to its domain's provider. */
export function SsoDiscovery({ email, next, onMissingEmail }: Props) {
  const go = useMutation({
    mutationFn: async (address: string) => {
      const connection = await discover({ email: address });
      if (connection === null) return { address, leaving: false };
      await leaveForProvider({ connection_id: connection.id, ...(next === undefined ? {} : { next }) });
      return { address, leaving: true };
    },
  });
  const busy = go.isPending || go.data?.leaving === true;
  const nothing = go.data?.leaving === false && go.data.address === email.trim();
  const press = () => {
    const address = email.trim();
    // A domain is all that is needed; the server checks the rest.
    if (!/^[^@\s]+@[^@\s]+$/.test(address)) return onMissingEmail();
    go.mutate(address);
  };
  return (
    <Box>
      <Button
        variant="outlined"
        fullWidth
        disabled={busy}
        onClick={press}
        startIcon={busy ? <Spinner /> : <KeyRounded />}
      >
        Single sign-on
      </Button>
      <div role="status">
        {nothing && (
          <Notice tone="neutral">
            No team signs in addresses at {email.trim().split('@').at(-1)} with single sign-on. Use your
            password, or ask who runs your team.
          </Notice>
        )}
      </div>
      {go.error && <ErrorNotice problem={problemOf(go.error, 'You are not signed in')!} />}
    </Box>
  );
}
