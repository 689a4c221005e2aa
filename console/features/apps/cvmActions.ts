import type { Cvm } from '../../../generated/api/types.gen';
import { blockedReason } from '../../lib/cvms/allowedActions';
import { blockedText } from '../../lib/cvms/blockedText';
import type { PowerAction } from '../../lib/cvms/powerTexts';
import { requestVerb } from '../../lib/cvms/verbRequest';
import { groupFault, splitByVerb, VERB_LABELS, VERBS, type Verb } from '../../lib/cvms/verbs';
import { appCvmPath } from '../../lib/paths';
import type { MenuEntry } from '../../ui/controls/MenuButton';

export type CvmAction = PowerAction | 'delete';

/** Returns why the action is unavailable; undefined if it isn't. The server decides. */
function actionFault(action: CvmAction, cvm: Cvm): string | undefined {
  const reason = blockedReason(action, cvm);
  return reason && blockedText(reason, cvm.operation);
}

const labels: Record<PowerAction, string> = { start: 'Start…', stop: 'Stop…', restart: 'Restart…' };

/** Why the user's role doesn't allow operating or changing CVMs. */
interface Refusals {
  operate: string | undefined;
  change: string | undefined;
}

/** A CVM's row menu: its pages and actions, with reasons for disabled ones. */
export function cvmActions(
  cvm: Cvm,
  { teamSlug, appId }: { teamSlug: string; appId: string },
  refusals: Refusals,
  onAction: (action: CvmAction) => void,
): MenuEntry[] {
  const uuid = cvm.vm_uuid;
  const act = (action: PowerAction): MenuEntry => {
    const reason = refusals.operate ?? actionFault(action, cvm);
    return {
      id: action,
      label: labels[action],
      onSelect: () => onAction(action),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  };
  const deleteFault = refusals.change ?? actionFault('delete', cvm);
  return [
    ...(uuid === null
      ? []
      : [
          { id: 'logs', label: 'Logs', href: appCvmPath(teamSlug, appId, uuid, 'logs') },
          { id: 'events', label: 'Events', href: appCvmPath(teamSlug, appId, uuid, 'events') },
        ]),
    { id: 'rule', rule: true },
    act('start'),
    act('stop'),
    act('restart'),
    ...(uuid === null
      ? []
      : [{ id: 'settings', label: 'Settings', href: appCvmPath(teamSlug, appId, uuid, 'settings') }]),
    { id: 'rule-2', rule: true },
    {
      id: 'delete',
      label: 'Scale in: delete…',
      onSelect: () => onAction('delete'),
      ...(deleteFault === undefined ? {} : { disabledReason: deleteFault }),
    },
  ];
}

/** The bulk actions, each with the number of selected CVMs it applies to. */
export function bulkCvmActions(
  cvms: readonly Cvm[],
  teamSlug: string,
  refusals: Refusals,
  onDone: () => void,
) {
  const refusal = (verb: Verb) => (verb === 'delete' ? refusals.change : refusals.operate);
  return VERBS.map((verb) => {
    const able = splitByVerb(verb, cvms).able.length;
    return {
      id: verb,
      label: able === 0 ? VERB_LABELS[verb] : `${VERB_LABELS[verb]} ${able}`,
      danger: verb === 'delete',
      reason: refusal(verb) ?? groupFault(verb, cvms),
      onSelect: () => void requestVerb({ verb, teamSlug, cvms }).then((done) => done && onDone()),
    };
  });
}
