import styled from '@emotion/styled';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createScimToken, deleteScimToken } from '../../../../generated/api/sdk.gen';
import type { CreatedScimToken, ScimSettings, SsoConnection } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { Button } from '../../../ui/controls/Button';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { CopyId } from '../../../ui/data/CopyId';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { ShownOnce } from '../../../ui/forms/ShownOnce';
import { color, space, type } from '../../../ui/theme';
import { scimOptions } from './queries';

const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const Facts = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: `${space(2)} ${space(4)}`,
  alignItems: 'baseline',
  '& dt': { ...type.small, color: color.muted },
  '& dd': { ...type.body, minWidth: 0, overflowWrap: 'anywhere' },
});
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(3) });

/** Lets the provider add and remove members, and shows whether it does. */
export function ProvisioningStep({ slug, connection }: { slug: string; connection: SsoConnection }) {
  const { data, error, refetch } = useQuery(scimOptions(slug));
  const problem = problemOf(error, 'Couldn’t load provisioning', () => void refetch());
  return (
    <>
      <Text>
        The provider adds and removes members automatically. Members it deactivates lose access to the team.
        Existing accounts join after their user confirms the link. Owners are never removed.
      </Text>
      {problem && <ErrorNotice problem={problem} />}
      {data && (
        <>
          <SettingsList settings={data} />
          {connection.domain_verified_at === null ? (
            <Text>Verify the domain first.</Text>
          ) : (
            <TokenButtons slug={slug} settings={data} />
          )}
        </>
      )}
    </>
  );
}

function SettingsList({ settings: { base_url, token } }: { settings: ScimSettings }) {
  return (
    <Facts>
      <dt>Base URL</dt>
      <dd>
        <CopyId id={base_url} what="base URL" most={0} />
      </dd>
      <dt>Token</dt>
      <dd>
        {token === null ? (
          'None'
        ) : (
          <>
            <code>{token.hint}</code>, created <RelativeTime at={token.created_at} />
            {token.created_by !== null && ` by ${token.created_by}`}
          </>
        )}
      </dd>
      {token !== null && (
        <>
          <dt>Last used</dt>
          <dd>{token.last_used_at === null ? 'Not yet' : <RelativeTime at={token.last_used_at} />}</dd>
        </>
      )}
    </Facts>
  );
}

function TokenButtons({ slug, settings }: { slug: string; settings: ScimSettings }) {
  const [asking, setAsking] = useState<'replace' | 'revoke' | null>(null);
  const [made, setMade] = useState<CreatedScimToken | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const { queryKey } = scimOptions(slug);
  const create = useMutation({
    mutationFn: async () =>
      (await createScimToken({ ...inTeam(slug), path: { slug }, throwOnError: true })).data,
    // The response contains the token: it leaves memory when the dialog closes.
    gcTime: 0,
    onSuccess: (created) => {
      setAsking(null);
      setMade(created);
      queryClient.setQueryData(queryKey, created.settings);
    },
  });
  const revoke = useMutation({
    mutationFn: () => deleteScimToken({ ...inTeam(slug), path: { slug }, throwOnError: true }),
    onSuccess: async () => {
      setAsking(null);
      toast({ tone: 'ok', title: 'SCIM token revoked' });
      await queryClient.invalidateQueries({ queryKey });
    },
  });
  const close = () => {
    create.reset();
    revoke.reset();
    setAsking(null);
  };
  const failed = problemOf(create.error, 'Couldn’t create the token');
  if (settings.token === null)
    return (
      <>
        {failed && <ErrorNotice problem={failed} />}
        <Row>
          <PendingButton variant="outlined" pending={create.isPending} onClick={() => create.mutate()}>
            Create token
          </PendingButton>
        </Row>
      </>
    );
  return (
    <>
      <Row>
        <Button variant="outlined" onClick={() => setAsking('replace')}>
          Replace token…
        </Button>
        <Button tone="danger" variant="outlined" onClick={() => setAsking('revoke')}>
          Revoke token…
        </Button>
      </Row>
      <ConfirmDialog
        open={asking === 'replace'}
        title="Replace the SCIM token?"
        confirmLabel="Replace token"
        effects={['The previous token stops working immediately. Enter the new one at the provider.']}
        pending={create.isPending}
        problem={failed}
        onConfirm={() => create.mutate()}
        onClose={close}
      />
      <ConfirmDialog
        open={asking === 'revoke'}
        danger
        title="Revoke the SCIM token?"
        confirmLabel="Revoke token"
        effects={[
          'The provider can no longer add or remove members.',
          'Members stay. Users the provider deactivated still can’t sign in through it.',
        ]}
        pending={revoke.isPending}
        problem={problemOf(revoke.error, 'Couldn’t revoke the token')}
        onConfirm={() => revoke.mutate()}
        onClose={close}
      />
      {made && <TokenShown created={made} onDone={() => setMade(null)} />}
    </>
  );
}

function TokenShown({ created, onDone }: { created: CreatedScimToken; onDone: () => void }) {
  return (
    <FormDialog open wide title="Copy the SCIM token">
      <ShownOnce
        notice={{
          title: 'This token is shown only once.',
          text: 'Enter it at the provider as the secret or bearer token. If you lose it, replace it.',
        }}
        codes={[
          { title: 'Base URL', code: created.settings.base_url },
          { title: 'Token', code: created.token },
        ]}
        onDone={onDone}
      />
    </FormDialog>
  );
}
