import styled from '@emotion/styled';
import { useCallback } from 'react';
import type { Member, TeamRole } from '../../../../generated/api/types.gen';
import { useClock } from '../../../ui/data/clock';
import type { Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { color, space, truncated, type } from '../../../ui/theme';
import { RoleSelect } from './RoleSelect';

const Person = styled('span')({ display: 'grid', minWidth: 0, padding: `${space(1)} 0` });
const Line = styled('span')(truncated);
const You = styled('span')({
  ...type.caption,
  fontWeight: 550,
  color: color.accentText,
  marginLeft: space(2),
});
const Email = styled(Line)({ ...type.caption, fontWeight: 400, color: color.muted });

/** `mine` is the viewer's own role, which decides the roles they can assign. */
export function memberColumns(
  mine: TeamRole,
  onRole: (member: Member, role: TeamRole) => void,
): Column<Member>[] {
  return [
    {
      id: 'person',
      header: 'Member',
      cell: ({ username, email, is_you }) => (
        <Person>
          <Line title={username}>
            {username}
            {is_you && <You>You</You>}
          </Line>
          <Email title={email}>{email}</Email>
        </Person>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      width: 140,
      phone: 'end',
      cell: (member) => <RoleSelect member={member} mine={mine} onPick={(role) => onRole(member, role)} />,
    },
    {
      id: 'factor',
      header: 'Second factor',
      width: 152,
      phone: 'meta',
      cell: ({ second_factor }) =>
        second_factor ? (
          <ToneChip quiet tone="ok" glyph="check">
            Second factor
          </ToneChip>
        ) : (
          <ToneChip quiet tone="attention" glyph="warning">
            No second factor
          </ToneChip>
        ),
    },
    {
      id: 'joined',
      header: 'Joined',
      width: 108,
      priority: 2,
      phone: 'hide',
      cell: ({ joined_at }) => <RelativeTime at={joined_at} />,
    },
    {
      id: 'seen',
      header: 'Last seen',
      width: 132,
      priority: 2,
      phone: 'meta',
      cell: ({ last_seen_at }) => <LastSeen at={last_seen_at} />,
    },
  ];
}

const HOUR_MS = 3_600_000;

/** Shown to the hour only, for the members' privacy. */
function LastSeen({ at }: { at: string | null }) {
  const lately = useClock(
    useCallback((now: number) => (at !== null && now - Date.parse(at) < HOUR_MS ? 'yes' : 'no'), [at]),
  );
  if (at === null) return 'Never';
  return lately === 'yes' ? 'In the past hour' : <RelativeTime at={at} />;
}
