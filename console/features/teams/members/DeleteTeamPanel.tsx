import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteWorkspaceMutation,
  getWorkspaceDeletionOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import type { May } from '../../../api/session';
import { teamPath } from '../../../lib/paths';
import { deletionEffects } from '../../../lib/billing/deletionEffects';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });

/** Deletes the team. Its CVMs must be deleted first, each with its own confirmation. */
export function DeleteTeamPanel({ team, may }: { team: SessionTeam; may: May }) {
  const [asking, setAsking] = useState(false);
  const preview = useQuery({
    ...getWorkspaceDeletionOptions({ path: { slug: team.slug } }),
    enabled: may.allowed,
    staleTime: 0,
  });
  const { data: deletion } = preview;
  const failed = problemOf(
    preview.error,
    'Couldn’t load the deletion’s effects',
    () => void preview.refetch(),
  );
  const left = deletion?.cvms ?? 0;
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
          ) : deletion?.refusal ? (
            deletion.refusal
          ) : (
            'Members lose access, API tokens and invitations are revoked, and no other team can take the address.'
          )}
        </Text>
        {failed && <ErrorNotice problem={failed} />}
        <Button
          tone="danger"
          disabled={!may.allowed || deletion === undefined || deletion.refusal !== null}
          onClick={() => {
            // The balance changes while the page is open.
            void preview.refetch();
            setAsking(true);
          }}
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
          'All members lose access immediately.',
          'The team’s API tokens, AI keys and invitations are revoked, and its webhooks and single sign-on are removed.',
          ...(deletion ? deletionEffects(deletion) : []),
          'This can’t be undone.',
        ]}
        confirmLabel="Delete team"
        // Deleting a balance requires a warning.
        blocked={failed !== null}
        pending={preview.isFetching || remove.isPending || remove.isSuccess}
        problem={failed ?? problemOf(remove.error, 'Couldn’t delete the team')}
        onConfirm={() => remove.mutate({ path: { slug: team.slug }, body: { slug: team.slug } })}
        onClose={() => {
          remove.reset();
          setAsking(false);
        }}
      />
    </Panel>
  );
}
