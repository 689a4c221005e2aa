import styled from '@emotion/styled';
import { useState } from 'react';
import type { SsoConnection, SsoSettings } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { color, space, type } from '../../../ui/theme';
import { asPut } from './ssoState';
import { ifConnectionUnchanged, useSave } from './useSave';

const Box = styled('div')({ display: 'grid', gap: space(3) });
const Why = styled('p')({ ...type.small, color: color.muted });

interface Props {
  slug: string;
  settings: SsoSettings;
  connection: SsoConnection;
}

/** Requires single sign-on, after a confirmation that lists who is affected. */
export function EnforceRow({ slug, settings, connection }: Props) {
  const [asking, setAsking] = useState(false);
  const save = useSave(slug, ifConnectionUnchanged(settings), () => setAsking(false));
  const { domain, enforced } = connection;
  const verified = connection.domain_verified_at !== null;
  const problem = problemOf(save.error, 'Couldn’t change the rule');
  const close = () => {
    save.reset();
    setAsking(false);
  };
  return (
    <Box>
      <SwitchInput
        label="Require single sign-on"
        checked={enforced}
        disabled={!verified}
        pending={save.isPending}
        onChange={() => (enforced ? save.mutate({ ...asPut(connection), enforced: false }) : setAsking(true))}
        help={`Members with an address at ${domain} can then open this team only through the provider. Owners are exempt, so a broken provider can’t lock the team out. Members with other addresses and API tokens aren’t affected.`}
      />
      {!verified && <Why>Verify the domain first.</Why>}
      {problem && !asking && <ErrorNotice problem={problem} />}
      <ConfirmDialog
        open={asking}
        title="Require single sign-on?"
        confirmLabel="Require single sign-on"
        effects={[
          `Members with an address at ${domain} who signed in another way have to sign in through the provider at their next request.`,
          'Owners sign in as before.',
          'API tokens keep working until they expire or are revoked.',
          'The provider is checked again before the rule takes effect.',
        ]}
        pending={save.isPending}
        problem={problem}
        onConfirm={() => save.mutate({ ...asPut(connection), enforced: true })}
        onClose={close}
      />
    </Box>
  );
}
