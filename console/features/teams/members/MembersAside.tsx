import styled from '@emotion/styled';
import { useParams } from '@tanstack/react-router';
import { useMay, useTeam } from '../../../api/session';
import { membersPath, tokensPath } from '../../../lib/paths';
import { roleName, roleSentence } from '../../../api/roles';
import { AsidePanel, Facts } from '../../../ui/layout/AsidePanel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';

const Text = styled('div')({ ...type.small, color: color.muted, display: 'grid', gap: space(2) });

/** Team facts, the viewer's own role, and related pages. */
export function MembersAside() {
  const { teamSlug = '' } = useParams({ strict: false });
  const team = useTeam(teamSlug);
  const tokens = useMay('tokens.write', teamSlug);
  return (
    <AsidePanel
      sections={[
        {
          title: 'Team',
          content: (
            <Facts
              facts={[
                { label: 'Name', value: team.name },
                { label: 'Address', copy: team.slug },
                { label: 'ID', copy: team.id },
              ]}
            />
          ),
        },
        {
          title: 'You',
          content: (
            <Text>
              <p>
                <strong>{roleName(team.role)}.</strong> {roleSentence(team.role)}
              </p>
              <p>
                <TextLink href={membersPath(team.slug, 'roles')}>What each role can do</TextLink>
              </p>
            </Text>
          ),
        },
        {
          title: 'Good to know',
          content: (
            <Text>
              <p>Role changes take effect with the next request, removal within seconds.</p>
              <p>
                Programs don’t need to be members:{' '}
                {tokens.allowed ? (
                  <>
                    give them an <TextLink href={tokensPath(team.slug)}>API token</TextLink>.
                  </>
                ) : (
                  'they use API tokens.'
                )}
              </p>
            </Text>
          ),
        },
      ]}
    />
  );
}
