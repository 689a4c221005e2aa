import PlayIcon from 'lucide-react/icons/play';
import RotateCwIcon from 'lucide-react/icons/rotate-cw';
import ScrollTextIcon from 'lucide-react/icons/scroll-text';
import SquareIcon from 'lucide-react/icons/square';
import TrashIcon from 'lucide-react/icons/trash-2';
import type { App } from '../../generated/api/types.gen';
import { requestVerb, VERB_LABELS, verbFault, VERBS, verbPermission, type Verb } from '../lib/cvms/verbs';
import { cvmPath, teamPath } from '../lib/paths';
import { statusInfo } from '../ui/feedback/status';
import type { Command } from '../ui/layout/CommandPalette';

const VERB = /^(start|stop|restart|delete|open logs( of)?|logs)(\s+|$)/i;

/** The thing named in "stop web-1"; empty for a verb alone, which applies to every app. */
export const withoutVerb = (query: string): string => query.replace(VERB, '');

const icons: Readonly<Record<Verb, Command['icon']>> = {
  start: <PlayIcon />,
  stop: <SquareIcon />,
  restart: <RotateCwIcon />,
  delete: <TrashIcon />,
};

/** What the user's role in the team allows. */
interface May {
  operate: boolean;
  change: boolean;
}

const isPermitted = (verb: Verb, may: May): boolean =>
  verbPermission(verb) === 'cvms.write' ? may.change : may.operate;

/** Says that a verb alone applies to nothing, where otherwise only unrelated matches would be listed. */
export function nothingTo(
  query: string,
  teamSlug: string,
  may: May,
  commands: readonly Command[],
): Command[] {
  const verb = VERBS.find((one) => one === query.trim().toLowerCase());
  if (verb === undefined || !isPermitted(verb, may) || commands.some(({ id }) => id.startsWith(`${verb}-`)))
    return [];
  return [
    {
      id: `nothing-${verb}`,
      group: 'Actions',
      label: `${VERB_LABELS[verb]}: no CVM is in a state that allows it`,
      detail: 'Apps',
      leads: true,
      icon: icons[verb],
      href: teamPath(teamSlug),
    },
  ];
}

/** What the role and the state allow for each CVM of the app; a dialog asks first. */
export function verbCommands(app: App, teamSlug: string, may: May): Command[] {
  return app.cvms.flatMap((cvm) => {
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
}
