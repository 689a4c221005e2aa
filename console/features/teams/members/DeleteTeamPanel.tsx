import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteWorkspaceMutation,
  listCvmsPaginatedOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import type { May } from '../../../api/session';
import { teamPath } from '../../../lib/paths';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });

/** Deletes the team. Its CVMs must be deleted first, each with its own confirmation. */
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
    <Panel title="Delete team" framed>
      <Stack>
        <Text>
          {!may.allowed ? (
            may.reason
          ) : left > 0 ? (
            <>
              This team still has {left === 1 ? 'a CVM' : `${left} CVMs`}.{' '}
              <TextLink href={teamPath(team.slug)}>Delete {left === 1 ? 'it' : 'them'}</TextLink> first.
            </>
          ) : (
            'Members lose access, API tokens and invitations are revoked, and no other team can take the address.'
          )}
        </Text>
        <Button
          tone="danger"
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
          'All members lose access immediately and are notified by e-mail.',
          'The team’s API tokens and invitations are revoked.',
          'This can’t be undone.',
        ]}
        confirmLabel="Delete team"
        pending={remove.isPending || remove.isSuccess}
        problem={problemOf(remove.error, 'Couldn’t delete the team')}
        onConfirm={() => remove.mutate({ path: { slug: team.slug }, body: { slug: team.slug } })}
        onClose={() => setAsking(false)}
      />
    </Panel>
  );
}
