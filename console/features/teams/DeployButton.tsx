import RocketLaunchOutlined from '@mui/icons-material/RocketLaunchOutlined';
import { useMayDeploy } from '../../api/session';
import { deployPath } from '../../lib/paths';
import { ShutButton } from '../../ui/controls/ShutButton';
import { LinkButton } from '../../ui/controls/LinkButton';

/** The way to the deploy page; for those who may not, the same button with the reason. */
export function DeployButton({ teamSlug }: { teamSlug: string }) {
  const may = useMayDeploy(teamSlug);
  const icon = <RocketLaunchOutlined />;
  if (!may.allowed)
    return (
      <ShutButton variant="contained" color="primary" startIcon={icon} reason={may.reason ?? ''}>
        Deploy
      </ShutButton>
    );
  return (
    <LinkButton href={deployPath(teamSlug)} variant="contained" color="primary" startIcon={icon}>
      Deploy
    </LinkButton>
  );
}
