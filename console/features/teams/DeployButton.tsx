import RocketLaunchOutlined from '@mui/icons-material/RocketLaunchOutlined';
import Button from '@mui/material/Button';
import { useMayDeploy } from '../../api/session';
import { deployPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { Tip } from '../../ui/controls/Tip';

/** The way to the deploy page; for those who may not, the same button with the reason. */
export function DeployButton({ teamSlug }: { teamSlug: string }) {
  const may = useMayDeploy(teamSlug);
  const icon = <RocketLaunchOutlined />;
  if (!may.allowed)
    return (
      <Tip text={may.reason ?? ''}>
        {/* Reachable by keyboard, so that the reason is. */}
        <Button
          variant="contained"
          color="primary"
          startIcon={icon}
          aria-disabled
          style={{ opacity: 0.5, cursor: 'not-allowed' }}
        >
          Deploy
        </Button>
      </Tip>
    );
  return (
    <LinkButton href={deployPath(teamSlug)} variant="contained" color="primary" startIcon={icon}>
      Deploy
    </LinkButton>
  );
}
