import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteWorkspaceMutation,
  listCvmsPaginatedOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import type { May } from '../../api/session';
import { teamPath } from '../../lib/paths';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });

/** The end of the team. CVMs prevent it: each is deleted by itself, with its own question. */
export function DeleteTeamPanel({ team, may }: { team: SessionTeam; may: May }) {
  const [asking, setAsking] = useState(false);
  const { data: cvms } = useQuery(
    listCvmsPaginatedOptions({ ...inTeam(team.slug), query: { page: 1, page_size: 1 } }),
  );
  const left = cvms?.total ?? 0;
  const remove = useMutation({
    ...deleteWorkspaceMutation(),
    onSuccess: () => location.assign('/'),
  });
  return (
    <Panel title="Delete the team" framed>
      <Stack>
        <Text>
          {!may.allowed ? (
            may.reason
          ) : left > 0 ? (
            <>
              It still has {left === 1 ? 'a CVM' : `${left} CVMs`}.{' '}
              <TextLink href={teamPath(team.slug)}>Delete {left === 1 ? 'it' : 'them'}</TextLink> first.
            </>
          ) : (
            'Members lose it, tokens and invitations end, and its address is given to nobody else.'
          )}
        </Text>
        <Button
          color="error"
          disabled={!may.allowed || cvms === undefined || left > 0}
          onClick={() => setAsking(true)}
        >
          Delete team…
        </Button>
      </Stack>
      <ConfirmDialog
        open={asking}
        danger
        title={`Delete ${team.name}?`}
        typedName={team.slug}
        effects={[
          'Every member loses it at once and is told by e-mail.',
          'API tokens and invitations of the team end.',
          'It cannot be undone.',
        ]}
        confirmLabel="Delete team"
        pending={remove.isPending || remove.isSuccess}
        problem={problemOf(remove.error, 'The team was not deleted')}
        onConfirm={() => remove.mutate({ path: { slug: team.slug }, body: { slug: team.slug } })}
        onClose={() => setAsking(false)}
      />
    </Panel>
  );
}
