import type { VerbRequest } from '../../../lib/cvms/verbRequest';
import type { Verb } from '../../../lib/cvms/verbs';
import { VERB_LABELS } from '../../../lib/cvms/verbs';
import { counted } from '../../../lib/texts/count';

const CVMS = ['CVM', 'CVMs'] as const;

/** Returns the dialog title: one target by its name, several by their number. */
export function titleOf({ verb, apps, cvms = [] }: VerbRequest): string {
  const label = VERB_LABELS[verb];
  if (apps) return apps.length === 1 ? `${label} app ${apps[0]!.name}?` : `${label} ${apps.length} apps?`;
  return cvms.length === 1 ? `${label} ${cvms[0]!.name}?` : `${label} ${counted(cvms.length, CVMS)}?`;
}

/** Returns the button's label, matching the title. @param count CVMs it changes */
export function confirmLabelOf({ verb, apps }: VerbRequest, count: number): string {
  const label = VERB_LABELS[verb];
  if (apps) return apps.length === 1 ? `${label} app` : `${label} ${apps.length} apps`;
  return count <= 1 ? label : `${label} ${counted(count, CVMS)}`;
}

/** The text to type before deleting: the single name, or the number of targets. */
export function typedNameOf({ verb, apps, cvms = [] }: VerbRequest): string | undefined {
  if (verb !== 'delete') return undefined;
  if (apps) return apps.length === 1 ? apps[0]!.name : `${apps.length} apps`;
  return cvms.length === 1 ? cvms[0]!.name : counted(cvms.length, CVMS);
}

const STARTING = 'Billing starts once a CVM is running.';
const EFFECTS: Readonly<Record<Verb, string[]>> = {
  start: ['Containers start with their saved secrets.', STARTING],
  stop: [
    'Containers shut down, then the VMs turn off. Their addresses become unavailable.',
    'Disks and secrets are kept. You pay only for the disks.',
  ],
  restart: [
    'Containers restart. Their addresses are unavailable until the CVMs boot.',
    'Disks and secrets are kept.',
  ],
  delete: [
    'CVMs stop and move to the recycle bin. You can restore them, with their disks and secrets, for 24 hours.',
    'After that, their disks, secrets and addresses are permanently destroyed.',
    'Operations in progress are canceled. You pay only for the disks.',
  ],
};

export function effectsOf({ verb, apps }: VerbRequest): string[] {
  if (verb !== 'delete' || !apps) return EFFECTS[verb];
  const [gone] =
    apps.length === 1
      ? ['The app is deleted with all of its CVMs. Its addresses become unavailable.']
      : ['The apps are deleted with all of their CVMs. Their addresses become unavailable.'];
  return [gone!, ...EFFECTS.delete, 'Revisions, events and usage are kept.'];
}

const PROGRESS: Readonly<Record<Verb, string>> = {
  start: 'Starting',
  stop: 'Stopping',
  restart: 'Restarting',
  delete: 'Deleting',
};

/** The toast after the server accepted everything. */
export function progressOf({ verb, apps, cvms = [] }: VerbRequest, accepted: number): string {
  const only = apps
    ? apps.length === 1
      ? apps[0]!.name
      : undefined
    : cvms.length === 1
      ? cvms[0]!.name
      : undefined;
  return `${PROGRESS[verb]} ${only ?? counted(accepted, CVMS)}`;
}
