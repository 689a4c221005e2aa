import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { transferWorkspaceMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Member, SessionTeam } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { refreshSession, type May } from '../../api/session';
import { useStale } from '../../api/useStale';
import { roleName } from '../../api/roles';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { SelectInput } from '../../ui/forms/SelectInput';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { membersOptions } from './queries';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const Pick = styled('div')({ width: 'min(100%, 420px)' });

export function TransferPanel({ team, may }: { team: SessionTeam; may: May }) {
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(membersOptions(team.slug));
  const others = data?.pages.flatMap((page) => page.data.filter(({ is_you }) => !is_you)) ?? [];
  const [heirId, setHeirId] = useState('');
  const [asking, setAsking] = useState(false);
  const heir = others.find(({ id }) => id === heirId);
  const reason = !may.allowed
    ? may.reason
    : data && others.length === 0
      ? 'Nobody else is in the team: invite the new owner first.'
      : undefined;
  return (
    <Panel title="Transfer" framed>
      <Stack>
        <Text>{reason ?? 'Another member becomes owner in your place; you stay as admin.'}</Text>
        {reason === undefined && (
          <>
            <Pick>
              <SelectInput
                label="New owner"
                placeholder="Choose a member"
                value={heirId}
                onChange={(event) => setHeirId(event.target.value)}
                choices={others.map(({ id, username, email, role }) => ({
                  value: id,
                  label: `${username} (${email}), ${roleName(role).toLowerCase()}`,
                }))}
              />
            </Pick>
            {hasNextPage && (
              <Button size="small" variant="text" onClick={() => void fetchNextPage()}>
                Show more members
              </Button>
            )}
          </>
        )}
        <Button color="error" disabled={!heir || reason !== undefined} onClick={() => setAsking(true)}>
          Transfer…
        </Button>
      </Stack>
      {asking && heir && <Confirm team={team} heir={heir} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function Confirm({ team, heir, onClose }: { team: SessionTeam; heir: Member; onClose: () => void }) {
  const queryClient = useQueryClient();
  const router = useRouter();
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
      title={`Transfer ${team.name} to ${heir.username}?`}
      typedName={team.slug}
      effects={[
        `${heir.username} (${heir.email}) becomes owner, and can remove you or delete the team.`,
        'You become an admin. Only they can give it back.',
        'Owners and admins are told by e-mail.',
      ]}
      confirmLabel="Transfer"
      pending={transfer.isPending}
      problem={problemOf(transfer.error, 'The team was not transferred')}
      onConfirm={() => transfer.mutate({ path: { slug: team.slug }, body: { user_id: heir.id } })}
      onClose={onClose}
    />
  );
}
