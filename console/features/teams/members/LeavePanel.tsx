import { ActionButton } from '../../../ui/controls/ActionButton';
import styled from '@emotion/styled';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { leaveWorkspaceMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { isOnlyOwner, membersOptions, ONLY_OWNER } from './queries';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });

export function LeavePanel({ team }: { team: SessionTeam }) {
  const [asking, setAsking] = useState(false);
  // The list shows owners first, so its first page holds all owners.
  const list = useInfiniteQuery({ ...membersOptions(team.slug), enabled: team.role === 'owner' });
  const reason = team.role === 'owner' && isOnlyOwner(list.data?.pages[0]?.data) ? ONLY_OWNER : undefined;
  const leave = useMutation({
    ...leaveWorkspaceMutation(),
    // A page load, so that no team data stays in memory.
    onSuccess: () => location.assign('/'),
  });
  return (
    <Panel title="Leave team" framed>
      <Stack>
        <Text>You lose access immediately. Apps you deployed stay with the team.</Text>
        {reason !== undefined && <Text>{reason}</Text>}
        <ActionButton tone="danger" reason={reason} onClick={() => setAsking(true)}>
          Leave team…
        </ActionButton>
      </Stack>
      <ConfirmDialog
        open={asking}
        danger
        title={`Leave ${team.name}?`}
        effects={['Your API tokens for this team are revoked.', 'To return, you need a new invitation.']}
        confirmLabel="Leave"
        pending={leave.isPending || leave.isSuccess}
        problem={problemOf(leave.error, 'Couldn’t leave the team')}
        onConfirm={() => leave.mutate({ path: { slug: team.slug } })}
        onClose={() => {
          leave.reset();
          setAsking(false);
        }}
      />
    </Panel>
  );
}
