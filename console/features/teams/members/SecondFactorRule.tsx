import { Button } from '../../../ui/controls/Button';
import { BulletList } from '../../../ui/BulletList';
import styled from '@emotion/styled';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { updateWorkspace } from '../../../../generated/api/sdk.gen';
import type { Member, Workspace } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { refreshSession, useSession } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { sendIfUnchanged } from '../../../api/versions';
import { accountPath } from '../../../lib/paths';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { membersOptions } from './queries';
import { counted } from '../../../lib/texts/count';

const Stack = styled('div')({ display: 'grid', gap: space(3), justifyItems: 'start', minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const NAMED = 10;

/** The "require a second factor" policy. Lists the members who would lose access before it is turned on. */
export function SecondFactorRule({ teamSlug, team }: { teamSlug: string; team: Workspace }) {
  const { require_second_factor: required } = team;
  /** The members affected, as of when the confirmation opened. */
  const [asked, setAsked] = useState<Workspace | null>(null);
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
            ? 'Members need an authenticator app or a passkey to open this team. Members without one are prompted to set one up.'
            : 'Without a second factor, a stolen password is enough to open this team. Require every member to use an authenticator app or a passkey.'}
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
            <TextLink href={accountPath('security')}>Set up a second factor</TextLink> for your own account
            first: the requirement applies to you too.
          </Text>
        )}
        <Button
          variant={required ? 'outlined' : 'contained'}
          tone={required ? 'danger' : 'neutral'}
          disabled={!required && (!own || without.members === null)}
          onClick={() => setAsked(team)}
        >
          {required ? 'Stop requiring' : 'Require second factor'}
        </Button>
      </Stack>
      {asked && (
        <Confirm
          teamSlug={teamSlug}
          team={asked}
          shutOut={without.members?.length ?? 0}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}

function Without({ members, required }: { members: readonly Member[]; required: boolean }) {
  if (members.length === 0)
    return <Text>Every member has a second factor{required ? '' : ', so nobody would lose access'}.</Text>;
  const more = members.length - NAMED;
  return (
    <div>
      <Text>
        {members.length === 1 ? '1 member has' : `${members.length} members have`} no second factor and{' '}
        {required ? 'can’t open the team until they set one up' : 'would lose access until they set one up'}:
      </Text>
      <BulletList aria-label="Members without a second factor">
        {members.slice(0, NAMED).map(({ id, username, email }) => (
          <li key={id}>
            {username} ({email})
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </BulletList>
    </div>
  );
}

/** Members without a second factor, from all pages. Null until the last page is read: a partial list would mislead. */
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
    problem: problemOf(error, 'Couldn’t load the members', () => void refetch()),
  };
}

interface ConfirmProps {
  teamSlug: string;
  team: Workspace;
  shutOut: number;
  onClose: () => void;
}

function Confirm({ teamSlug: slug, team, shutOut, onClose }: ConfirmProps) {
  const require = !team.require_second_factor;
  const stale = useStale();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      sendIfUnchanged(team.etag, ['require_second_factor'], (headers) =>
        updateWorkspace({
          headers,
          path: { slug },
          body: { require_second_factor: require },
          throwOnError: true,
        }),
      ),
    onError: () => stale('getWorkspace'),
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
      title={
        require ? 'Require a second factor for this team?' : 'Stop requiring a second factor for this team?'
      }
      effects={
        require
          ? [
              shutOut === 0
                ? 'Every member has one, so nobody loses access.'
                : `${counted(shutOut, ['member loses', 'members lose'])} access immediately, including API tokens, until they set one up.`,
              'Members who signed in without their second factor must confirm it.',
            ]
          : ['Members can open the team with a password alone.']
      }
      confirmLabel={require ? 'Require second factor' : 'Stop requiring'}
      pending={change.isPending}
      problem={problemOf(change.error, 'Couldn’t change the setting')}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}
