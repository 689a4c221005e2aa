import { LinkButton } from '../../../ui/controls/Button';
import PlusIcon from 'lucide-react/icons/plus';
import { useNavigate } from '@tanstack/react-router';
import { useMay, type May, useTeam } from '../../../api/session';
import { membersPath } from '../../../lib/paths';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Sections } from '../../../ui/layout/Sections';
import { AssistantPanel } from './AssistantPanel';
import { CreateTokenDialog } from './CreateTokenDialog';
import { ScannerPanel } from './ScannerPanel';
import { tokensHref, type TokensSearch } from './search';
import { TokensTable } from './TokensTable';

interface Props {
  teamSlug: string;
  search: TokensSearch;
  /** This page's current address; it has two. */
  base: string;
}

/** The team's API tokens and command-line logins. */
export function TokensPage({ teamSlug, search, base }: Props) {
  const team = useTeam(teamSlug);
  const read = useMay('tokens.read', teamSlug);
  const write = useMay('tokens.write', teamSlug);
  const navigate = useNavigate();
  const close = () => void navigate({ href: tokensHref(base, { ...search, new: undefined }), replace: true });
  return (
    <>
      <PageHeader
        title="API tokens"
        subtitle="For programs and the command line"
        primary={<Create may={write} href={tokensHref(base, { ...search, new: true })} />}
      />
      {read.allowed ? (
        <Sections>
          <div>
            <TokensTable teamSlug={teamSlug} search={search} base={base} />
          </div>
          <AssistantPanel />
          <ScannerPanel />
        </Sections>
      ) : (
        <EmptyState
          picture="access"
          title="You don’t have access to tokens"
          action={<LinkButton href={membersPath(teamSlug, 'roles')}>View role permissions</LinkButton>}
        >
          The {team.role} role can’t create or view API tokens. An owner or admin of {team.name} can change
          your role.
        </EmptyState>
      )}
      {search.new === true && write.allowed && <CreateTokenDialog teamSlug={teamSlug} onClose={close} />}
    </>
  );
}

function Create({ may: { reason }, href }: { may: May; href: string }) {
  const look = { variant: 'contained', startIcon: <PlusIcon /> } as const;
  if (reason === undefined)
    return (
      <LinkButton href={href} {...look}>
        Create token
      </LinkButton>
    );
  return (
    <ActionButton {...look} reason={reason}>
      Create token
    </ActionButton>
  );
}
