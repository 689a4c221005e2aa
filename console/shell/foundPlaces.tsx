import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import ServerIcon from 'lucide-react/icons/server';
import type { App } from '../../generated/api/types.gen';
import { appPath, cvmPath } from '../lib/paths';
import { counted } from '../lib/texts/count';
import { statusInfo } from '../ui/feedback/status';
import type { Command } from '../ui/layout/CommandPalette';

/** Apps shown while the query is empty: few, so that the pages stay visible. */
const MAX_FIRST_APPS = 5;

/** The matching apps, and their CVMs once the query isn't empty. */
export function foundPlaces(apps: readonly App[], teamSlug: string, hasQuery: boolean): Command[] {
  if (!hasQuery) return apps.slice(0, MAX_FIRST_APPS).map((app) => appPlace(app, teamSlug));
  return [
    ...apps.map((app) => appPlace(app, teamSlug)),
    ...apps.flatMap((app) => cvmPlaces(app, teamSlug)),
  ].map((command) => ({ ...command, leads: true }));
}

function appPlace(app: App, teamSlug: string): Command {
  return {
    id: `app-${app.app_id}`,
    group: 'Apps',
    label: app.name,
    detail: counted(app.cvm_count, ['CVM', 'CVMs']),
    keywords: app.app_id,
    icon: <LayoutGridIcon />,
    href: appPath(teamSlug, app.app_id),
  };
}

function cvmPlaces(app: App, teamSlug: string): Command[] {
  return app.cvms.flatMap((cvm) =>
    cvm.vm_uuid === null
      ? []
      : [
          {
            id: `cvm-${cvm.vm_uuid}`,
            group: 'CVMs',
            label: cvm.name,
            detail: statusInfo(cvm.status).word,
            keywords: [cvm.vm_uuid, cvm.instance_id, app.app_id, app.name].filter(Boolean).join(' '),
            icon: <ServerIcon />,
            href: cvmPath(teamSlug, cvm.vm_uuid),
          },
        ],
  );
}
