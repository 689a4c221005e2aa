import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { EVENT_KEYS } from '../../lib/query/events';
import { parseQuery } from '../../lib/query/syntax';
import { TextInput } from '../../ui/forms/TextInput';
import { color, space, type } from '../../ui/theme';
import { Preview } from './Preview';
import type { PreviewSearch } from './search';

const Box = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const List = styled('ul')({ ...type.small, display: 'grid', gap: space(1), overflowWrap: 'anywhere' });
const Code = styled('code')(type.mono);

const states = [
  ['empty', 'Empty', ''],
  ['one', 'One key', 'kind:update.failed'],
  ['values', 'Several values', 'severity:error,warning'],
  ['not', 'Not', '-cvm:web kind:host.*'],
  ['text', 'Text', '"no space left" severity:error'],
  ['wrong', 'Mistakes', 'severity:eror knd:update after:yesterdy'],
] as const;

/** The search box of events, alone. */
export function QueryBuilderPreview({ search }: { search: PreviewSearch }) {
  const [, , text] = states.find(([id]) => id === search.state) ?? states[0];
  return (
    <Preview
      title="Search query builder"
      text="The search box of events: what is typed is read at once, and every mistake is shown at its place."
      search={search}
      stage={<QueryBox key={text} initial={text} />}
      states={states.map(([id, name, query]) => ({ id, name, node: <QueryBox initial={query} /> }))}
    />
  );
}

function QueryBox({ initial }: { initial: string }) {
  const [text, setText] = useState(initial);
  const { terms, errors } = parseQuery(text, EVENT_KEYS);
  const [error] = errors;
  return (
    <Box>
      <TextInput
        mono
        label="Search events"
        value={text}
        spellCheck={false}
        placeholder='kind:update.failed severity:error "disk"'
        help={terms.length === 0 ? 'Keys: ' + EVENT_KEYS.map(({ name }) => name).join(', ') : undefined}
        {...(error ? { error: `“${text.slice(error.start, error.end)}”: ${error.message}` } : {})}
        onChange={(event) => setText(event.target.value)}
      />
      {terms.length > 0 && (
        <List aria-label="Read as">
          {terms.map(({ key, negated, values, start }) => (
            <li key={start} style={{ color: color.muted }}>
              {negated ? 'not ' : ''}
              {key ?? 'text'}: <Code>{values.join(' or ')}</Code>
            </li>
          ))}
        </List>
      )}
    </Box>
  );
}
