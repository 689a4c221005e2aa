import KeyRoundIcon from 'lucide-react/icons/key-round';
import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../../../api/problem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { space } from '../../../ui/theme';
import { discover, leaveForProvider } from './requests';

const Box = styled('div')({ display: 'grid', gap: space(3) });

interface Props {
  /** The email address typed so far. */
  email: string;
  next?: string | undefined;
  /** Called if the address is missing, so the form can show it at the field. */
  onMissingEmail: () => void;
}

/** Finds the sign-in provider of an email address's domain. */
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
    // Only the domain matters here; the server validates the rest.
    if (!/^[^@\s]+@[^@\s]+$/.test(address)) return onMissingEmail();
    go.mutate(address);
  };
  return (
    <Box>
      <PendingButton variant="outlined" fullWidth pending={busy} onClick={press} startIcon={<KeyRoundIcon />}>
        Single sign-on
      </PendingButton>
      <div role="status">
        {nothing && (
          <Notice tone="neutral">
            No team uses single sign-on for addresses at {email.trim().split('@').at(-1)}. Use your password,
            or ask a team admin.
          </Notice>
        )}
      </div>
      {go.error && <ErrorNotice problem={problemOf(go.error, 'Couldn’t sign in')!} />}
    </Box>
  );
}
