import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import type { InvitationView } from '../../../../generated/api/types.gen';
import { roleName, roleSentence } from '../../../api/roles';
import { KeyValue } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { color, space, type } from '../../../ui/theme';
import { Email, Stack } from './authElements';
import { rolePermissions } from './rolePermissions';

const Details = styled('details')({
  ...type.body,
  '& > summary': { cursor: 'pointer', color: color.accentText, width: 'fit-content' },
});
const List = styled('ul')({
  ...type.small,
  display: 'grid',
  gap: space(1),
  margin: `${space(2)} 0 0`,
  paddingLeft: space(4),
  listStyle: 'disc',
  color: color.muted,
});

/** Shows the team, role, inviter and expiration of an invitation. */
export function Invitation({ invitation, children }: { invitation: InvitationView; children: ReactNode }) {
  const { team_name, role, inviter, email, expires_at } = invitation;
  const may = rolePermissions(role);
  return (
    <PublicCard
      title={`Join ${team_name}`}
      subtitle={
        <>
          {inviter} invited <Email>{email}</Email>.
        </>
      }
    >
      <Stack>
        <KeyValue
          facts={[
            { label: 'Your role', value: roleName(role) },
            { label: 'Expires', value: <RelativeTime at={expires_at} inWords /> },
          ]}
        />
        <div>
          <p>{roleSentence(role)}</p>
          <Details>
            <summary>
              Everything {role === 'admin' || role === 'owner' ? 'an' : 'a'} {role} can do ({may.length})
            </summary>
            <List>
              {may.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </List>
          </Details>
        </div>
        {children}
      </Stack>
    </PublicCard>
  );
}
