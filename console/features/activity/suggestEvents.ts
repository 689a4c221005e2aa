import { curly } from '../../lib/texts/curly';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { EVENT_GROUPS, EVENT_KINDS } from '../../lib/activity/eventKinds';
import { EVENT_KEYS, NOBODY, SEVERITIES } from '../../lib/query/events';
import type { BuilderKey, Suggest, Suggestion } from '../../ui/query/queryDraft';
import type { EventsScope } from './queries';
import { ownValue } from '../../lib/ownValue';

const TIMES: readonly Suggestion[] = [
  { value: '1h', detail: 'an hour ago' },
  { value: '24h', detail: 'a day ago' },
  { value: '7d', detail: 'a week ago' },
  { value: '30d', detail: '30 days ago' },
];
/** Includes the words of the rows, which also find the kind. */
const KINDS: readonly Suggestion[] = [...EVENT_GROUPS, ...EVENT_KINDS].map(({ value, words }) => ({
  value,
  detail: words,
}));

/** A single CVM's events need no CVM filter. */
export const keysFor = ({ cvm, app_id }: EventsScope): readonly BuilderKey[] =>
  EVENT_KEYS.filter(
    ({ name }) =>
      !(name === 'cvm' && cvm !== undefined) && !(name === 'app' && (cvm ?? app_id) !== undefined),
  );

/** Suggestions from known event fields and the events on screen. */
export function suggestEvents(
  events: readonly ActivityEvent[],
  more: Readonly<Record<string, readonly Suggestion[]>>,
): Suggest {
  const seen = (of: (event: ActivityEvent) => Suggestion | null): Suggestion[] => {
    const byValue = new Map<string, Suggestion>();
    for (const event of events) {
      const suggestion = of(event);
      if (suggestion && !byValue.has(suggestion.value)) byValue.set(suggestion.value, suggestion);
    }
    return [...byValue.values()];
  };
  const values: Readonly<Record<string, () => readonly Suggestion[]>> = {
    kind: () => [
      ...KINDS,
      // Hosts add their own kinds.
      ...seen(({ kind, message }) => ({ value: kind, detail: curly(message) })),
    ],
    severity: () => SEVERITIES.map((value) => ({ value })),
    cvm: () => seen(({ cvm }) => (cvm?.name ? { value: cvm.name } : null)),
    by: () => [
      { value: NOBODY, detail: 'System' },
      ...seen(({ actor }) => (actor?.username ? { value: actor.username } : null)),
    ],
    operation: () =>
      seen(({ correlation_id, message }) =>
        correlation_id === null ? null : { value: correlation_id, detail: curly(message) },
      ),
    after: () => TIMES,
    before: () => TIMES,
  };
  return (key) => {
    const all = [...(ownValue(more, key) ?? []), ...(ownValue(values, key)?.() ?? [])];
    return all.filter(({ value }, i) => all.findIndex((one) => one.value === value) === i);
  };
}
