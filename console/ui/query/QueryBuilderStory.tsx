import styled from '@emotion/styled';
import { useState } from 'react';
import { EVENT_GROUPS, EVENT_KINDS } from '../../lib/activity/eventKinds';
import { EVENT_KEYS, SEVERITIES } from '../../lib/query/events';
import type { QueryError } from '../../lib/query/syntax';
import { color, space, type } from '../theme';
import { QueryBuilder } from './QueryBuilder';
import type { Suggest } from './queryDraft';
import { ownValue } from '../../lib/ownValue';

const Box = styled('div')({ display: 'grid', gap: space(2), minWidth: 0 });
const Read = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const Code = styled('code')(type.mono);

export interface QueryBuilderStoryProps {
  initial: string;
  /** Errors of a server that doesn't know the CVM. */
  refused?: readonly QueryError[];
  /** Whether values are suggested. */
  suggestions?: boolean;
}

const VALUES: Readonly<Record<string, readonly { value: string; detail?: string }[]>> = {
  kind: [...EVENT_GROUPS, ...EVENT_KINDS].map(({ value, words }) => ({ value, detail: words })),
  severity: SEVERITIES.map((value) => ({ value })),
  cvm: [
    { value: 'web-1', detail: 'shop' },
    { value: 'web-2', detail: 'shop' },
    { value: 'a name with “quotes” and spaces', detail: 'extremes' },
    ...Array.from({ length: 60 }, (_, i) => ({ value: `worker-${i}`, detail: 'queue' })),
  ],
  app: [{ value: 'shop' }, { value: 'queue' }, { value: 'extremes' }],
  by: [{ value: 'none', detail: 'System' }, { value: 'alice' }, { value: 'bob' }],
  after: [
    { value: '1h', detail: 'an hour ago' },
    { value: '7d', detail: 'a week ago' },
  ],
};
const suggestValues: Suggest = (key) => ownValue(VALUES, key) ?? [];

const long = 'x'.repeat(120);

/** Every notable state, by name. */
export const queryBuilderStates: readonly (QueryBuilderStoryProps & { id: string; name: string })[] = [
  { id: 'empty', name: 'Empty', initial: '' },
  { id: 'one', name: 'One part', initial: 'kind:update.failed' },
  { id: 'values', name: 'Several values', initial: 'severity:error,warning cvm:web-1,web-2' },
  { id: 'not', name: 'Excluded', initial: '-kind:host.* -"health check"' },
  { id: 'text', name: 'Text', initial: '"no space left" severity:error after:7d' },
  {
    id: 'many',
    name: 'Maximum length',
    initial: Array.from({ length: 20 }, (_, i) => `word${i}`).join(' '),
  },
  { id: 'long', name: 'Long values', initial: `cvm:${long} "${long}"` },
  { id: 'wrong', name: 'Errors in the URL', initial: 'severity:eror knd:update after:yesterday' },
  {
    id: 'refused',
    name: 'Rejected by the server',
    initial: 'severity:error cvm:nothere',
    refused: [{ message: 'This team has and had no CVM “nothere”.', start: 15, end: 26 }],
  },
  { id: 'plain', name: 'Without suggested values', initial: '', suggestions: false },
];

/** The events search box with its own query, whose value is shown below. */
export function QueryBuilderStory({ initial, refused = [], suggestions = true }: QueryBuilderStoryProps) {
  const [query, setQuery] = useState(initial);
  return (
    <Box>
      <QueryBuilder
        label="Search events"
        keys={EVENT_KEYS}
        value={query}
        onChange={setQuery}
        errors={query === initial ? refused : []}
        placeholder="kind:update.failed, severity:error or text"
        {...(suggestions ? { suggest: suggestValues } : {})}
      />
      <Read>
        As text: <Code>{query === '' ? 'everything' : query}</Code>
      </Read>
    </Box>
  );
}
