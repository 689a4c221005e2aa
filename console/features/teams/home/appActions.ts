import type { App } from '../../../../generated/api/types.gen';
import type { May } from '../../../api/session';
import { requestVerb } from '../../../lib/cvms/verbRequest';
import { appFault, VERB_LABELS, VERBS, type Verb } from '../../../lib/cvms/verbs';
import { appPath, cvmPath } from '../../../lib/paths';
import type { MenuEntry } from '../../../ui/controls/MenuButton';

/** Whether the user's role allows each verb. */
export type MayAct = Readonly<Record<Verb, May>>;

/** An app's row menu: its pages, and the verbs for all of its CVMs with reasons for disabled ones. */
export function appActions(app: App, teamSlug: string, may: MayAct): MenuEntry[] {
  const uuid = app.current_cvm?.vm_uuid;
  const act = (verb: Verb): MenuEntry => {
    const reason = may[verb].reason ?? appFault(verb, app);
    return {
      id: verb,
      label: verb === 'delete' ? 'Delete app…' : `${VERB_LABELS[verb]}…`,
      danger: verb === 'delete',
      onSelect: () => void requestVerb({ verb, teamSlug, apps: [app] }),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  };
  return [
    { id: 'open', label: 'Open app', href: appPath(teamSlug, app.app_id) },
    ...(uuid
      ? [
          { id: 'logs', label: 'Logs', href: cvmPath(teamSlug, uuid, 'logs') },
          { id: 'compose', label: 'Compose and secrets', href: cvmPath(teamSlug, uuid, 'compose') },
        ]
      : []),
    { id: 'rule', rule: true },
    act('start'),
    act('stop'),
    act('restart'),
    { id: 'rule-2', rule: true },
    act('delete'),
  ];
}

/** The bulk actions, each with the number of selected apps it applies to. */
export function bulkActions(apps: readonly App[], teamSlug: string, may: MayAct, onDone: () => void) {
  return VERBS.map((verb) => {
    const able = apps.filter((app) => appFault(verb, app) === undefined);
    const [fault] = new Set(apps.map((app) => appFault(verb, app)));
    return {
      id: verb,
      label: able.length === 0 ? VERB_LABELS[verb] : `${VERB_LABELS[verb]} ${able.length}`,
      danger: verb === 'delete',
      reason:
        may[verb].reason ??
        (able.length > 0 ? undefined : (fault ?? 'None of these apps can do this right now.')),
      onSelect: () => void requestVerb({ verb, teamSlug, apps: able }).then((done) => done && onDone()),
    };
  });
}
