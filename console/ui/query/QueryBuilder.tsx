import SearchIcon from 'lucide-react/icons/search';
import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { useId, type ReactNode } from 'react';
import type { QueryError } from '../../lib/query/syntax';
import { describedBy, FieldError, Help, Label } from '../forms/Field';
import { color, radius, space, type } from '../theme';
import { QueryChips } from './QueryChips';
import type { BuilderKey, Suggest } from './queryDraft';
import { QueryOptions } from './QueryOptions';
import { useQueryBuilder } from './useQueryBuilder';

const Root = styled('div')({ display: 'grid', gap: space(1.5), minWidth: 0 });
const Around = styled('div')({ position: 'relative', minWidth: 0 });
const Box = styled('div')({
  display: 'flex',
  alignItems: 'flex-start',
  gap: space(1.5),
  padding: space(1),
  border: `1px solid ${color.control}`,
  borderRadius: radius.control,
  backgroundColor: color.surface,
  '&:focus-within': { outline: `2px solid ${color.focus}`, outlineOffset: '-1px' },
  '&[data-wrong="true"]': { borderColor: color.errorText },
  '& > svg': { flex: 'none', fontSize: 18, margin: `${space(1)} 0 0 ${space(1)}`, color: color.muted },
  '& > button': { flex: 'none', minHeight: 26, paddingBlock: 0 },
});
const Parts = styled('ul')({
  flex: 1,
  minWidth: 0,
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(1),
  '& > [data-input]': { flex: '1 1 140px', minWidth: 0, display: 'flex' },
});
const Input = styled('input')({
  ...type.body,
  width: '100%',
  minWidth: 0,
  height: 26,
  padding: `0 ${space(1)}`,
  border: 0,
  outline: '0 !important',
  background: 'none',
  color: color.text,
  fontFamily: 'inherit',
  '&::placeholder': { color: color.faint, opacity: 1 },
});
const Place = styled('code')({
  ...type.mono,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  '& mark': {
    background: 'none',
    color: 'inherit',
    textDecoration: `underline wavy ${color.errorText}`,
    textUnderlineOffset: 3,
  },
});

export interface QueryBuilderProps {
  label: string;
  keys: readonly BuilderKey[];
  /** The active query, as text. An invalid one (typed into the address) is put into the box for correction. */
  value: string;
  /** Called with valid queries only, and never with the current one. */
  onChange: (query: string) => void;
  /** Suggests values for a key. */
  suggest?: Suggest;
  /** The server's errors in `value`. */
  errors?: readonly QueryError[];
  help?: ReactNode;
  placeholder?: string;
}

/** A query builder: chips for the active parts, a box with suggestions for the next one. Text can be pasted. */
export function QueryBuilder(props: QueryBuilderProps) {
  const { label, value, errors: refused = [], help, placeholder } = props;
  const id = useId();
  const builder = useQueryBuilder(props);
  const { terms, draft, faults, options, current, input } = builder;
  const wrong = new Set(
    refused.flatMap((error) =>
      terms.flatMap((term, i) => (error.start < term.end && error.end > term.start ? [i] : [])),
    ),
  );
  const shownErrors = faults.length > 0 ? faults : refused;
  const errorId = shownErrors.length > 0 && `${id}-error`;
  return (
    <Root>
      <Label htmlFor={id}>{label}</Label>
      <Around>
        <Box data-wrong={shownErrors.length > 0}>
          <SearchIcon aria-hidden />
          <Parts aria-label={`Parts of ${label}`}>
            <QueryChips
              terms={terms}
              wrong={wrong}
              lastRef={builder.lastChip}
              onEdit={builder.edit}
              onRemove={builder.remove}
              onLeave={() => input.current?.focus()}
            />
            <li data-input>
              <Input
                ref={input}
                id={id}
                role="combobox"
                aria-expanded={options.length > 0}
                aria-controls={`${id}-options`}
                aria-autocomplete="list"
                aria-activedescendant={current < 0 ? undefined : `${id}-option-${current}`}
                aria-invalid={shownErrors.length > 0 || undefined}
                {...describedBy(errorId, help !== undefined && `${id}-help`)}
                placeholder={terms.length === 0 ? placeholder : undefined}
                spellCheck={false}
                autoComplete="off"
                autoCapitalize="none"
                enterKeyHint="search"
                value={draft}
                {...builder.handlers}
              />
            </li>
          </Parts>
          {draft.trim() !== '' ? (
            <Button size="small" onClick={() => builder.submit(draft)}>
              Search
            </Button>
          ) : (
            terms.length > 0 && (
              <Button size="small" variant="text" onClick={builder.clear}>
                Clear
              </Button>
            )
          )}
        </Box>
        <QueryOptions
          id={id}
          label={label}
          options={options}
          current={current}
          onPoint={builder.point}
          onChoose={builder.choose}
        />
      </Around>
      {shownErrors.length > 0 && (
        <FieldError id={`${id}-error`}>
          {shownErrors.map(({ message, start, end }) => (
            <span key={`${start} ${message}`} style={{ display: 'block' }}>
              {message} <Marked text={faults.length > 0 ? draft : value} start={start} end={end} />
            </span>
          ))}
        </FieldError>
      )}
      {help !== undefined && <Help id={`${id}-help`}>{help}</Help>}
    </Root>
  );
}

/** The text with the invalid part underlined. */
function Marked({ text, start, end }: { text: string; start: number; end: number }) {
  const from = Math.max(0, start - 20);
  return (
    <Place>
      {from > 0 && '…'}
      {text.slice(from, start)}
      <mark>{text.slice(start, end) || ' '}</mark>
      {text.slice(end, end + 20)}
      {end + 20 < text.length && '…'}
    </Place>
  );
}
