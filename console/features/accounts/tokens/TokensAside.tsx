import styled from '@emotion/styled';
import { useParams } from '@tanstack/react-router';
import { useMay, useTeam } from '../../../api/session';
import { membersPath } from '../../../lib/paths';
import { roleName } from '../../../api/roles';
import { AsidePanel, Facts } from '../../../ui/layout/AsidePanel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';

const Text = styled('div')({ ...type.small, color: color.muted, display: 'grid', gap: space(2) });

/** What tokens are bound to, and what to do if one leaks. */
export function TokensAside() {
  const { teamSlug = '' } = useParams({ strict: false });
  const team = useTeam(teamSlug);
  const audit = useMay('team.audit', teamSlug);
  return (
    <AsidePanel
      sections={[
        {
          title: 'Your access',
          content: (
            <Facts
              facts={[
                { label: 'Team', value: team.name },
                {
                  label: 'Role',
                  value: <TextLink href={membersPath(team.slug, 'roles')}>{roleName(team.role)}</TextLink>,
                },
                {
                  label: 'Visible tokens',
                  value: team.role === 'admin' || team.role === 'owner' ? 'All members’' : 'Your own',
                },
              ]}
            />
          ),
        },
        {
          title: 'How tokens work',
          content: (
            <Text>
              <p>A token can do what both its scopes and its owner’s current role allow.</p>
              <p>
                A token is revoked when its owner leaves the team. Tokens can’t manage members, settings or
                other tokens.
              </p>
            </Text>
          ),
        },
        {
          title: 'Token leaked?',
          content: (
            <Text>
              <p>
                Revoke it; its next request is rejected.{' '}
                {audit.allowed
                  ? 'Then check the audit log to see what it did.'
                  : 'Then ask an owner or admin of the team what the audit log says it did.'}
              </p>
              {audit.allowed && (
                <p>
                  <TextLink href={membersPath(team.slug, 'audit')}>Audit log</TextLink>
                </p>
              )}
            </Text>
          ),
        },
      ]}
    />
  );
}
