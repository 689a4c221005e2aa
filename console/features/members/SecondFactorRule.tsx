import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { updateWorkspaceMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Member } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { refreshSession, useSession } from '../../api/session';
import { useStale } from '../../api/useStale';
import { accountPath } from '../../lib/paths';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { ToneChip } from '../../ui/feedback/StatusChip';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { membersOptions } from './queries';

const Stack = styled('div')({ display: 'grid', gap: space(3), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const List = styled('ul')({
  ...type.body,
  display: 'grid',
  gap: space(1),
  paddingLeft: space(4),
  listStyle: 'disc',
  overflowWrap: 'anywhere',
});
const NAMED = 10;

/** "Require a second factor": who would be shut out is said before anybody is. */
export function SecondFactorRule({ teamSlug, required }: { teamSlug: string; required: boolean }) {
  const [asking, setAsking] = useState(false);
  const { user } = useSession();
  const without = useMembersWithout(teamSlug);
  const own = user?.second_factor === true;
  return (
    <Panel
      title="Second factor"
      framed
      actions={
        required ? (
          <ToneChip tone="ok" glyph="shield">
            Required
          </ToneChip>
        ) : (
          <ToneChip tone="neutral" glyph="dot">
            Not required
          </ToneChip>
        )
      }
    >
      <Stack>
        <Text>
          {required
            ? 'Members enter the team only with an authenticator app or a passkey. Who has none is shown how to set one up.'
            : 'A stolen password alone opens this team to whoever has it. Require an authenticator app or a passkey of every member.'}
        </Text>
        {without.members === null ? (
          without.problem ? (
            <ErrorNotice problem={without.problem} />
          ) : (
            <RowsSkeleton rows={2} />
          )
        ) : (
          <Without members={without.members} required={required} />
        )}
        {!required && !own && (
          <Text>
            Set up a second factor <TextLink href={accountPath('security')}>of your own</TextLink> first: the
            rule counts for you too.
          </Text>
        )}
        <Button
          variant={required ? 'outlined' : 'contained'}
          color={required ? 'error' : 'primary'}
          disabled={!required && (!own || without.members === null)}
          onClick={() => setAsking(true)}
        >
          {required ? 'Stop requiring it' : 'Require a second factor'}
        </Button>
      </Stack>
      {asking && (
        <Confirm
          teamSlug={teamSlug}
          require={!required}
          shutOut={without.members?.length ?? 0}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

function Without({ members, required }: { members: readonly Member[]; required: boolean }) {
  if (members.length === 0)
    return <Text>Every member has a second factor: nobody {required ? 'is' : 'would be'} shut out.</Text>;
  const more = members.length - NAMED;
  return (
    <div>
      <Text>
        {members.length === 1 ? '1 member has' : `${members.length} members have`} none and{' '}
        {required ? 'cannot enter until they set one up' : 'would be shut out until they set one up'}:
      </Text>
      <List aria-label="Members without a second factor">
        {members.slice(0, NAMED).map(({ id, username, email }) => (
          <li key={id}>
            {username} ({email})
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </List>
    </div>
  );
}

/** Everybody without one, over all pages; null until the last is read, for half a list would mislead. */
function useMembersWithout(teamSlug: string) {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    membersOptions(teamSlug),
  );
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  return {
    members:
      data && !hasNextPage
        ? data.pages.flatMap((page) => page.data.filter(({ second_factor }) => !second_factor))
        : null,
    problem: problemOf(error, 'The members could not be read', () => void refetch()),
  };
}

interface ConfirmProps {
  teamSlug: string;
  require: boolean;
  shutOut: number;
  onClose: () => void;
}

function Confirm({ teamSlug: slug, require, shutOut, onClose }: ConfirmProps) {
  const stale = useStale();
  const queryClient = useQueryClient();
  const change = useMutation({
    ...updateWorkspaceMutation(),
    onSuccess: async () => {
      await stale('getWorkspace');
      await refreshSession(queryClient);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger={!require || shutOut > 0}
      title={require ? 'Require a second factor?' : 'Stop requiring a second factor?'}
      effects={
        require
          ? [
              shutOut === 0
                ? 'Every member has one: nobody is shut out.'
                : `${shutOut} ${shutOut === 1 ? 'member is' : 'members are'} shut out at once, with their tokens, until they set one up.`,
              'Who signed in without theirs is asked for it.',
            ]
          : ['A password alone opens the team again, for members who have nothing else.']
      }
      confirmLabel={require ? 'Require it' : 'Stop requiring it'}
      pending={change.isPending}
      problem={problemOf(change.error, 'The rule was not changed')}
      onConfirm={() => change.mutate({ path: { slug }, body: { require_second_factor: require } })}
      onClose={onClose}
    />
  );
}
