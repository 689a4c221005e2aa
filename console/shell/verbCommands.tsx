import PlayIcon from 'lucide-react/icons/play';
import RotateCwIcon from 'lucide-react/icons/rotate-cw';
import ScrollTextIcon from 'lucide-react/icons/scroll-text';
import SquareIcon from 'lucide-react/icons/square';
import TrashIcon from 'lucide-react/icons/trash-2';
import UploadIcon from 'lucide-react/icons/upload';
import type { App, Cvm } from '../../generated/api/types.gen';
import { blockedReason } from '../lib/cvms/allowedActions';
import { requestVerb } from '../lib/cvms/verbRequest';
import { VERB_LABELS, verbFault, VERBS, verbPermission, type Verb } from '../lib/cvms/verbs';
import { cvmPath, teamPath } from '../lib/paths';
import { statusInfo } from '../ui/feedback/status';
import type { Command } from '../ui/layout/CommandPalette';

const VERB = /^(start|stop|restart|delete|update|deploy|open logs( of)?|logs)(\s+|$)/i;

/** Returns the name in "stop web-1"; empty for a verb alone, which applies to every app. */
export const withoutVerb = (query: string): string => query.replace(VERB, '');

/** An update has its own page instead of a dialog. */
const UPDATE = 'update';
type Named = Verb | typeof UPDATE;

const icons: Readonly<Record<Named, Command['icon']>> = {
  update: <UploadIcon />,
  start: <PlayIcon />,
  stop: <SquareIcon />,
  restart: <RotateCwIcon />,
  delete: <TrashIcon />,
};

/** The actions the user's role in the team allows. */
interface May {
  operate: boolean;
  change: boolean;
}

const isPermitted = (verb: Named, may: May): boolean =>
  verb === UPDATE || verbPermission(verb) === 'cvms.write' ? may.change : may.operate;

const labelOf = (verb: Named): string => (verb === UPDATE ? 'Update' : VERB_LABELS[verb]);

/** Says that a verb alone applies to nothing, because otherwise only unrelated matches would be listed. */
export function nothingTo(
  query: string,
  teamSlug: string,
  may: May,
  commands: readonly Command[],
): Command[] {
  const verb = [...VERBS, UPDATE as Named].find((one) => one === query.trim().toLowerCase());
  if (verb === undefined || !isPermitted(verb, may) || commands.some(({ id }) => id.startsWith(`${verb}-`)))
    return [];
  return [
    {
      id: `nothing-${verb}`,
      group: 'Actions',
      label: `${labelOf(verb)}: no CVM can do this right now`,
      detail: 'Apps',
      leads: true,
      icon: icons[verb],
      href: teamPath(teamSlug),
    },
  ];
}

/**
 * Returns the actions allowed by role and state for the app and each of its CVMs; a dialog or page confirms them.
 */
export function verbCommands(app: App, teamSlug: string, may: May): Command[] {
  const ofCvms = app.cvms.flatMap((cvm) => {
    const about = { group: 'Actions', detail: statusInfo(cvm.status).word, keywords: app.name };
    const verbs = VERBS.filter((verb) => isPermitted(verb, may) && verbFault(verb, cvm) === undefined).map(
      (verb) => ({
        ...about,
        id: `${verb}-${cvm.id}`,
        label: `${VERB_LABELS[verb]} ${cvm.name}`,
        icon: icons[verb],
        onSelect: () => void requestVerb({ verb, teamSlug, cvms: [cvm] }),
      }),
    );
    const logs = cvm.vm_uuid && {
      ...about,
      id: `logs-${cvm.id}`,
      label: `Open logs of ${cvm.name}`,
      icon: <ScrollTextIcon />,
      href: cvmPath(teamSlug, cvm.vm_uuid, 'logs'),
    };
    return logs ? [logs, ...verbs] : verbs;
  });
  return [...(isPermitted(UPDATE, may) ? updateCommands(app, teamSlug) : []), ...ofCvms];
}

/** Returns the update of the app, on its current CVM's page, and those of CVMs with different names. */
function updateCommands(app: App, teamSlug: string): Command[] {
  const update = (id: string, name: string, detail: string, cvm: Cvm | undefined): Command[] =>
    !cvm?.vm_uuid || blockedReason(UPDATE, cvm) !== undefined
      ? []
      : [
          {
            id: `${UPDATE}-${id}`,
            group: 'Actions',
            label: `Update ${name}`,
            detail,
            // Updating is also a deployment.
            keywords: `deploy ${app.name} ${cvm.name}`,
            icon: icons[UPDATE],
            href: cvmPath(teamSlug, cvm.vm_uuid, 'compose'),
          },
        ];
  const current = app.cvms.find(({ vm_uuid }) => vm_uuid !== null && vm_uuid === app.current_cvm?.vm_uuid);
  return [
    ...update(app.app_id, app.name, 'App', current),
    ...app.cvms
      .filter((cvm) => cvm.name !== app.name)
      .flatMap((cvm) => update(cvm.id, cvm.name, statusInfo(cvm.status).word, cvm)),
  ];
}
