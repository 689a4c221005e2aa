import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { leaveWorkspaceMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });

export function LeavePanel({ team }: { team: SessionTeam }) {
  const [asking, setAsking] = useState(false);
  const leave = useMutation({
    ...leaveWorkspaceMutation(),
    // A page load: nothing of the team stays in memory.
    onSuccess: () => location.assign('/'),
  });
  return (
    <Panel title="Leave" framed>
      <Stack>
        <Text>
          You lose access at once; apps you deployed stay with the team.
          {team.role === 'owner' && ' The only owner cannot leave: transfer the team first, or delete it.'}
        </Text>
        <Button color="error" onClick={() => setAsking(true)}>
          Leave the team…
        </Button>
      </Stack>
      <ConfirmDialog
        open={asking}
        danger
        title={`Leave ${team.name}?`}
        effects={['Your API tokens of this team end.', 'To come back you need a new invitation.']}
        confirmLabel="Leave"
        pending={leave.isPending || leave.isSuccess}
        problem={problemOf(leave.error, 'You are still in the team')}
        onConfirm={() => leave.mutate({ path: { slug: team.slug } })}
        onClose={() => setAsking(false)}
      />
    </Panel>
  );
}
