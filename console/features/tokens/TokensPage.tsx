import AddRounded from '@mui/icons-material/AddRounded';
import { useNavigate } from '@tanstack/react-router';
import { useMay, useTeam } from '../../api/session';
import { membersPath } from '../../lib/paths';
import { ShutButton } from '../../ui/controls/ShutButton';
import { LinkButton } from '../../ui/controls/LinkButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { PageHeader } from '../../ui/layout/PageHeader';
import { CreateTokenDialog } from './CreateTokenDialog';
import { ScannerPanel } from './ScannerPanel';
import { tokensHref, type TokensSearch } from './search';
import { TokensTable } from './TokensTable';

interface Props {
  teamSlug: string;
  search: TokensSearch;
  /** The address of this page; it has two. */
  base: string;
}

/** What programs act with in this team. */
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
        subtitle={`What programs and the command line act with in ${team.name}. A token never does more than its owner may.`}
        primary={<Create may={write} href={tokensHref(base, { ...search, new: true })} />}
      />
      {read.allowed ? (
        <>
          <TokensTable teamSlug={teamSlug} search={search} base={base} />
          <ScannerPanel />
        </>
      ) : (
        <EmptyState
          title="Your role has no tokens"
          action={<LinkButton href={membersPath(teamSlug, 'roles')}>See what each role may do</LinkButton>}
        >
          A {team.role} of {team.name} neither makes nor sees API tokens. An owner or admin of the team can
          change your role.
        </EmptyState>
      )}
      {search.new === true && write.allowed && <CreateTokenDialog teamSlug={teamSlug} onClose={close} />}
    </>
  );
}

function Create({ may, href }: { may: { allowed: boolean; reason: string | undefined }; href: string }) {
  const look = { variant: 'contained', color: 'primary', startIcon: <AddRounded /> } as const;
  if (may.allowed)
    return (
      <LinkButton href={href} {...look}>
        Create a token
      </LinkButton>
    );
  return (
    <ShutButton {...look} reason={may.reason ?? ''}>
      Create a token
    </ShutButton>
  );
}
