import { LinkButton } from '../../../ui/controls/Button';
import RocketIcon from 'lucide-react/icons/rocket';
import { useMayDeploy } from '../../../api/session';
import { deployPath } from '../../../lib/paths';
import { ActionButton } from '../../../ui/controls/ActionButton';

/** Links to the deploy page; disabled with the reason for users who can't deploy. */
export function DeployButton({ teamSlug }: { teamSlug: string }) {
  const { reason } = useMayDeploy(teamSlug);
  const icon = <RocketIcon />;
  if (reason !== undefined)
    return (
      <ActionButton variant="contained" startIcon={icon} reason={reason}>
        Deploy
      </ActionButton>
    );
  return (
    <LinkButton href={deployPath(teamSlug)} variant="contained" startIcon={icon}>
      Deploy
    </LinkButton>
  );
}
