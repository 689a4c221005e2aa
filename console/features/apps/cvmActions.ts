import type { Cvm } from '../../../generated/api/types.gen';
import { appCvmPath } from '../../lib/paths';
import type { MenuEntry } from '../../ui/controls/MenuButton';

export type PowerAction = 'start' | 'stop' | 'restart';
export type CvmAction = PowerAction | 'delete';

/** Why this cannot be done to it now, or undefined. The server has the last word. */
export function actionFault(
  action: PowerAction,
  cvm: Pick<Cvm, 'status' | 'in_progress'>,
): string | undefined {
  if (cvm.in_progress) return 'Another change is going on.';
  if (action === 'start') return cvm.status === 'running' ? 'It runs already.' : undefined;
  return cvm.status === 'running' || cvm.status === 'error' ? undefined : 'It does not run.';
}

const labels: Record<PowerAction, string> = { start: 'Start', stop: 'Stop…', restart: 'Restart…' };

/** The menu of a CVM's row: its pages, and what can be done to it, with the reason where it cannot. */
export function cvmActions(
  cvm: Cvm,
  { teamSlug, appId }: { teamSlug: string; appId: string },
  forbidden: string | undefined,
  onAction: (action: CvmAction) => void,
): MenuEntry[] {
  const uuid = cvm.vm_uuid;
  const act = (action: PowerAction): MenuEntry => {
    const reason = forbidden ?? actionFault(action, cvm);
    return {
      id: action,
      label: labels[action],
      onSelect: () => onAction(action),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  };
  const deleteFault = forbidden ?? (cvm.status === 'deleting' ? 'It is being deleted already.' : undefined);
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
