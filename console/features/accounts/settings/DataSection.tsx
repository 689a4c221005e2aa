import { ActionButton } from '../../../ui/controls/ActionButton';
import { BulletList } from '../../../ui/BulletList';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteAccountMutation,
  getAccountDeletionOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import { exportAccount } from '../../../../generated/api/sdk.gen';
import type { AccountDeletion, SessionTeam } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useSession } from '../../../api/session';
import { deletionEffects } from '../../../lib/billing/deletionEffects';
import { deletedAccountPath, membersPath } from '../../../lib/paths';
import { brandFileName } from '../../../ui/brand/installation';
import { DownloadButton } from '../../../ui/controls/DownloadButton';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { Loaded } from './Loaded';
import { accountOptions } from './queries';
import { saveFile } from '../../../ui/controls/saveFile';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '68ch' });

export function DataSection() {
  return (
    <>
      <ExportPanel />
      <DeletePanel />
    </>
  );
}

function ExportPanel() {
  const fetchAll = useMutation({
    mutationFn: async () => (await exportAccount({ throwOnError: true })).data,
    onSuccess: (data) =>
      saveFile(
        `${brandFileName()}-account-${data.exported_at.slice(0, 10)}.json`,
        `${JSON.stringify(data, null, 2)}\n`,
        'application/json',
      ),
  });
  const problem = problemOf(fetchAll.error, 'Couldn’t create the export');
  return (
    <Panel title="Export" framed>
      <Stack>
        <Text>
          Download your personal data as one JSON file: account, teams, sessions, keys, token names and
          activity. Secrets are not included.
        </Text>
        {problem && <ErrorNotice problem={problem} />}
        <DownloadButton pending={fetchAll.isPending} onClick={() => fetchAll.mutate()}>
          Download
        </DownloadButton>
      </Stack>
    </Panel>
  );
}

function DeletePanel() {
  const { teams } = useSession();
  const account = useQuery(accountOptions());
  const [asking, setAsking] = useState(false);
  // Unavailable actions aren't offered. The dialog checks again, because teams and balances change.
  const { data: deletion } = useQuery({ ...getAccountDeletionOptions(), staleTime: 0 });
  const blocker = deletion ? blockerOf(deletion) : null;
  return (
    <Panel title="Delete account" framed>
      <Loaded query={account} what="your account" rows={2}>
        {({ email }) => (
          <Stack>
            <Text>
              Your name and address are erased, your sessions and tokens are revoked, and you leave your
              teams. Apps stay with their teams.
            </Text>
            <Owned teams={teams.filter(({ role }) => role === 'owner')} />
            {blocker && <Text>{blocker.message}</Text>}
            <ActionButton tone="danger" reason={blocker?.message} onClick={() => setAsking(true)}>
              Delete account…
            </ActionButton>
            {asking && <DeleteDialog email={email} onClose={() => setAsking(false)} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

/** Lists owned teams, which can block the deletion, with links to their settings. */
function Owned({ teams }: { teams: readonly SessionTeam[] }) {
  if (teams.length === 0) return null;
  return (
    <div>
      <Text>
        You own {teams.length === 1 ? 'this team' : 'these teams'}. Transfer or delete any team that would be
        left without an owner first:
      </Text>
      <BulletList>
        {teams.map(({ slug, name }) => (
          <li key={slug}>
            <TextLink href={membersPath(slug, 'settings')}>{name}</TextLink>
          </li>
        ))}
      </BulletList>
    </div>
  );
}

function DeleteDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const preview = useQuery({ ...getAccountDeletionOptions(), staleTime: 0 });
  const teams = preview.data?.teams ?? [];
  const blocker =
    problemOf(preview.error, 'Couldn’t load the deletion’s effects', () => void preview.refetch()) ??
    (preview.data ? blockerOf(preview.data) : null);
  const remove = useMutation({
    ...deleteAccountMutation(),
    // A page load, so that no personal data stays in memory.
    onSuccess: () => location.assign(deletedAccountPath),
  });
  return (
    <ConfirmDialog
      open
      danger
      title="Delete your account?"
      typedName={email}
      effects={[
        'This can’t be undone. Nobody can restore the account.',
        'You’re signed out everywhere, and your API tokens stop working immediately.',
        'Records that teams must keep, such as the audit log, show “deleted user”.',
        ...teams.filter(({ refusal }) => refusal === null).map(teamEffect),
      ]}
      confirmLabel="Delete account"
      // Deleting a balance requires a warning.
      blocked={blocker !== null}
      pending={preview.isFetching || remove.isPending || remove.isSuccess}
      problem={blocker ?? problemOf(remove.error, 'Couldn’t delete the account')}
      onConfirm={() => remove.mutate({ body: { email } })}
      onClose={onClose}
    />
  );
}

type SoleTeam = AccountDeletion['teams'][number];

/** What happens to a team that has no other owner. */
const teamEffect = ({ name, ...money }: SoleTeam): string =>
  [`“${name}” is deleted.`, ...deletionEffects(money)].join(' ');

/** Teams with other owners aren't listed: if they are the reason, only the overall refusal names them. */
function blockerOf({ refusal, teams }: AccountDeletion) {
  if (refusal === null) return null;
  const reasons = teams.flatMap((team) => team.refusal ?? []);
  return {
    title: 'Your account can’t be deleted yet',
    message: reasons.length > 0 ? reasons.join(' ') : refusal,
  };
}
