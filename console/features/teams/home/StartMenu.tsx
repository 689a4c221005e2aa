import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import { startWayNames, startWayPath, startWays } from '../../../lib/apps/startWays';
import { Button } from '../../../ui/controls/Button';
import { MenuButton } from '../../../ui/controls/MenuButton';

const OTHERS = startWays.filter((way) => way !== 'compose');

/** The ways to start an app besides the deploy form itself. */
export function StartMenu({ teamSlug }: { teamSlug: string }) {
  return (
    <MenuButton
      entries={OTHERS.map((way) => ({
        id: way,
        label: startWayNames[way],
        href: startWayPath(teamSlug, way),
      }))}
      trigger={(props) => (
        <Button endIcon={<ChevronDownIcon />} {...props}>
          Start from
        </Button>
      )}
    />
  );
}
