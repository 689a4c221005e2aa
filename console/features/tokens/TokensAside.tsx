import { styled } from '@mui/material/styles';
import { useParams } from '@tanstack/react-router';
import { useTeam } from '../../api/session';
import { membersPath } from '../../lib/paths';
import { roleName } from '../../api/roles';
import { AsidePanel, Facts } from '../../ui/layout/AsidePanel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';

const Text = styled('div')({ ...type.small, color: color.muted, display: 'grid', gap: space(2) });

/** What a token is tied to, and what to do when one leaks. */
export function TokensAside() {
  const { teamSlug = '' } = useParams({ strict: false });
  const team = useTeam(teamSlug);
  return (
    <AsidePanel
      sections={[
        {
          title: 'Tokens here',
          content: (
            <Facts
              facts={[
                { label: 'Act in', value: team.name },
                {
                  label: 'You are',
                  value: <TextLink href={membersPath(team.slug, 'roles')}>{roleName(team.role)}</TextLink>,
                },
                {
                  label: 'You see',
                  value: team.role === 'admin' || team.role === 'owner' ? 'everybody’s' : 'your own',
                },
              ]}
            />
          ),
        },
        {
          title: 'How they work',
          content: (
            <Text>
              <p>A token does what its scopes say, as far as its owner’s role allows at that moment.</p>
              <p>
                It ends when its owner leaves the team. People, settings and tokens are changed by people
                only.
              </p>
            </Text>
          ),
        },
        {
          title: 'One has leaked?',
          content: (
            <Text>
              <p>Revoke it here: its next request is refused. Then look at the audit log for what it did.</p>
              <p>
                <TextLink href={membersPath(team.slug, 'audit')}>Audit log</TextLink>
              </p>
            </Text>
          ),
        },
      ]}
    />
  );
}
