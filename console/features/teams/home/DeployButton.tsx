import { LinkButton } from '../../../ui/controls/Button';
import RocketIcon from 'lucide-react/icons/rocket';
import { useMayDeploy } from '../../../api/session';
import { deployPath } from '../../../lib/paths';
import { ShutButton } from '../../../ui/controls/ShutButton';

/** Links to the deploy page; disabled with the reason for users who can't deploy. */
export function DeployButton({ teamSlug }: { teamSlug: string }) {
  const may = useMayDeploy(teamSlug);
  const icon = <RocketIcon />;
  if (!may.allowed)
    return (
      <ShutButton variant="contained" startIcon={icon} reason={may.reason ?? ''}>
        Deploy
      </ShutButton>
    );
  return (
    <LinkButton href={deployPath(teamSlug)} variant="contained" startIcon={icon}>
      Deploy
    </LinkButton>
  );
}
