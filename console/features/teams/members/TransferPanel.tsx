import { ActionButton } from '../../../ui/controls/ActionButton';
import styled from '@emotion/styled';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { transferWorkspaceMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Member, SessionTeam } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { refreshSession, useSession, type May } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { roleName } from '../../../api/roles';
import { MoreButton } from '../../../ui/data/MoreButton';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { membersOptions } from './queries';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const Pick = styled('div')({ width: 'min(100%, 420px)' });

export function TransferPanel({ team, may }: { team: SessionTeam; may: May }) {
  const list = useInfiniteQuery(membersOptions(team.slug));
  const { data } = list;
  const others = data?.pages.flatMap((page) => page.data.filter(({ is_you }) => !is_you)) ?? [];
  const [newOwnerId, setNewOwnerId] = useState('');
  const [asking, setAsking] = useState(false);
  const newOwner = others.find(({ id }) => id === newOwnerId);
  const reason = !may.allowed
    ? may.reason
    : data && others.length === 0
      ? 'This team has no other members. Invite the new owner first.'
      : undefined;
  return (
    <Panel title="Transfer ownership" framed>
      <Stack>
        <Text>{reason ?? 'Another member becomes owner. You stay as an admin.'}</Text>
        {reason === undefined && (
          <>
            <Pick>
              <SelectInput
                label="New owner"
                placeholder="Choose a member"
                value={newOwnerId}
                onChange={(event) => setNewOwnerId(event.target.value)}
                choices={others.map(({ id, username, email, role }) => ({
                  value: id,
                  label: `${username} (${email}), ${roleName(role).toLowerCase()}`,
                }))}
              />
            </Pick>
            <MoreButton inline list={list} label="Show more members" />
          </>
        )}
        <ActionButton
          tone="danger"
          reason={reason ?? (newOwner ? undefined : 'Choose the new owner first.')}
          onClick={() => setAsking(true)}
        >
          Transfer…
        </ActionButton>
      </Stack>
      {asking && newOwner && <Confirm team={team} newOwner={newOwner} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function Confirm({ team, newOwner, onClose }: { team: SessionTeam; newOwner: Member; onClose: () => void }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { features } = useSession();
  const stale = useStale();
  const transfer = useMutation({
    ...transferWorkspaceMutation(),
    onSuccess: async () => {
      onClose();
      await stale('listMembers', 'getWorkspace');
      await refreshSession(queryClient);
      await router.invalidate();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Transfer ${team.name} to ${newOwner.username}?`}
      typedName={team.slug}
      effects={[
        `${newOwner.username} (${newOwner.email}) becomes owner and can remove you or delete the team.`,
        'You become an admin. Only the new owner can make you owner again.',
        ...(features.mail ? ['Owners and admins are notified by email.'] : []),
      ]}
      confirmLabel="Transfer"
      pending={transfer.isPending}
      problem={problemOf(transfer.error, 'Couldn’t transfer the team')}
      onConfirm={() => transfer.mutate({ path: { slug: team.slug }, body: { user_id: newOwner.id } })}
      onClose={onClose}
    />
  );
}
