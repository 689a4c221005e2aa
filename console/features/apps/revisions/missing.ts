import type { Cvm } from '../../../../generated/api/types.gen';
import { counted } from '../../../lib/texts/count';

const NAMED = 5;

/** Says which variables have no value after a rollback; null if all have one. */
export function missingText(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const more = names.length - NAMED;
  const named = names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `It uses ${named}, which the app’s current secrets don’t include. Update the secrets to set ${names.length === 1 ? 'it' : 'them'}.`;
}

/** Says what a rollback does to the app's CVMs. */
export function rollBackEffects(cvms: readonly Pick<Cvm, 'desired_status'>[]): string[] {
  const isOne = cvms.length === 1;
  const all = counted(cvms.length, ['CVM', 'CVMs']);
  const stopped = cvms.filter(({ desired_status }) => desired_status === 'stopped').length;
  if (stopped > 0 && stopped === cvms.length)
    return [
      isOne
        ? 'The CVM stays stopped. The next start runs this revision.'
        : `The ${all} stay stopped. Their next start runs this revision.`,
    ];
  return [
    isOne
      ? 'The CVM restarts with this revision and is unavailable until it boots.'
      : `The ${all} update one at a time. Each must be healthy before the next one starts.`,
    ...(stopped > 0 ? ['Stopped CVMs stay stopped. Their next start runs this revision.'] : []),
    'If a CVM fails to boot, it returns to the current revision.',
  ];
}
