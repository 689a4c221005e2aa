import type { Cvm } from '../../../generated/api/types.gen';
import { cvmPath } from '../../lib/paths';
import type { MenuEntry } from '../../ui/controls/MenuButton';

export type CvmAction = 'start' | 'stop' | 'restart';

/** Why this cannot be done to it now, or undefined. The server has the last word. */
export function actionFault(action: CvmAction, cvm: Pick<Cvm, 'status' | 'in_progress'>): string | undefined {
  if (cvm.in_progress) return 'Another change is going on.';
  if (action === 'start') return cvm.status === 'running' ? 'It runs already.' : undefined;
  return cvm.status === 'running' || cvm.status === 'error' ? undefined : 'It does not run.';
}

const labels: Record<CvmAction, string> = { start: 'Start', stop: 'Stop…', restart: 'Restart…' };

/** The menu of a CVM's row: its pages, and what can be done to it, with the reason where it cannot. */
export function cvmActions(
  cvm: Cvm,
  teamSlug: string,
  forbidden: string | undefined,
  onAction: (action: CvmAction) => void,
): MenuEntry[] {
  const uuid = cvm.vm_uuid;
  const act = (action: CvmAction): MenuEntry => {
    const reason = forbidden ?? actionFault(action, cvm);
    return {
      id: action,
      label: labels[action],
      onSelect: () => onAction(action),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  };
  return [
    ...(uuid === null
      ? []
      : [
          { id: 'logs', label: 'Logs', href: cvmPath(teamSlug, uuid, 'logs') },
          { id: 'events', label: 'Events', href: cvmPath(teamSlug, uuid, 'events') },
        ]),
    { id: 'rule', rule: true },
    act('start'),
    act('stop'),
    act('restart'),
    ...(uuid === null
      ? []
      : [{ id: 'settings', label: 'Settings and delete', href: cvmPath(teamSlug, uuid, 'settings') }]),
  ];
}
