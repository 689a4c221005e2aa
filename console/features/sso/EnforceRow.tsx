import { styled } from '@mui/material/styles';
import { useState } from 'react';
import type { SsoConnection } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { color, space, type } from '../../ui/theme';
import { asPut } from './ssoState';
import { useSave } from './useSave';

const Box = styled('div')({ display: 'grid', gap: space(3) });
const Why = styled('p')({ ...type.small, color: color.muted });

/** The switch that shuts passwords out, with what that means for whom. */
export function EnforceRow({ slug, connection }: { slug: string; connection: SsoConnection }) {
  const [asking, setAsking] = useState(false);
  const save = useSave(slug, () => setAsking(false));
  const { domain, enforced } = connection;
  const verified = connection.domain_verified_at !== null;
  const problem = problemOf(save.error, 'The rule was not changed');
  const close = () => {
    save.reset();
    setAsking(false);
  };
  return (
    <Box>
      <SwitchInput
        label="Require single sign-on"
        checked={enforced}
        disabled={!verified || save.isPending}
        onChange={() => (enforced ? save.mutate({ ...asPut(connection), enforced: false }) : setAsking(true))}
        help={`Members with an address at ${domain} then reach this team only through the provider. Owners are exempt, so that a broken provider locks nobody out for good. People with other addresses, and API tokens, are not affected.`}
      />
      {!verified && <Why>Verify the domain first.</Why>}
      {problem && !asking && <ErrorNotice problem={problem} />}
      <ConfirmDialog
        open={asking}
        title="Require single sign-on?"
        confirmLabel="Require it"
        effects={[
          `Members with an address at ${domain} who signed in otherwise are asked to sign in through the provider, from their next click on.`,
          'Owners sign in as before.',
          'API tokens keep working until they expire or are revoked.',
          'The provider is checked once more before the rule begins.',
        ]}
        pending={save.isPending}
        problem={problem}
        onConfirm={() => save.mutate({ ...asPut(connection), enforced: true })}
        onClose={close}
      />
    </Box>
  );
}
