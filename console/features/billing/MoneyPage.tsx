import type { ReactNode } from 'react';
import { useMay, useTeam } from '../../api/session';
import { membersPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/Button';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { PageHeader } from '../../ui/layout/PageHeader';

interface Props {
  teamSlug: string;
  title: string;
  subtitle: string;
  primary?: ReactNode;
  secondary?: ReactNode;
  children: ReactNode;
}

/** Frame for billing pages, shown to members with permission. */
export function MoneyPage({ teamSlug, title, subtitle, primary, secondary, children }: Props) {
  const team = useTeam(teamSlug);
  const { allowed } = useMay('billing.read', teamSlug);
  return (
    <>
      <PageHeader title={title} subtitle={subtitle} {...(allowed ? { primary, secondary } : {})} />
      {allowed ? (
        children
      ) : (
        <EmptyState
          picture="access"
          title="You don’t have access to billing"
          action={<LinkButton href={membersPath(teamSlug, 'roles')}>View role permissions</LinkButton>}
        >
          The {team.role} role can’t see {team.name}’s billing. An owner or admin can change your role.
        </EmptyState>
      )}
    </>
  );
}
