import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import { startWayNames, startWayPath, startWays } from '../../../lib/apps/startWays';
import { Button } from '../../../ui/controls/Button';
import { MenuButton } from '../../../ui/controls/MenuButton';

const OTHERS = startWays.filter((way) => way !== 'compose');

/** Ways to start an app other than the deploy form. */
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
