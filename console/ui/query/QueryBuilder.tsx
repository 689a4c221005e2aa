import SearchRounded from '@mui/icons-material/SearchRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import {
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { parseQuery, printQuery, printTerm, type QueryError, type Term } from '../../lib/query/syntax';
import { useAnnounce } from '../announce';
import { describedBy, FieldError, Help, Label } from '../forms/Field';
import { color, radius, space, type } from '../theme';
import { QueryChips, spoken } from './QueryChips';
import { type BuilderKey, enter, isWhole, type Option, optionsFor, type Suggest } from './queryDraft';
import { QueryOptions } from './QueryOptions';

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
  /** The query in force, as text. One that is faulty (typed into the address) stands in the box, to be put right. */
  value: string;
  /** With a query that is right, and never with the same one. */
  onChange: (query: string) => void;
  /** Values for a key. */
  suggest?: Suggest;
  /** What the server found wrong with `value`. */
  errors?: readonly QueryError[];
  help?: ReactNode;
  placeholder?: string;
}

const nothing: Suggest = () => [];

/** A query of parts: chips for what is in force, a box with suggestions for what comes next. Text can be pasted. */
export function QueryBuilder(props: QueryBuilderProps) {
  const { label, keys, value, onChange, suggest = nothing, errors: refused = [], help, placeholder } = props;
  const announce = useAnnounce();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const lastChip = useRef<HTMLButtonElement>(null);
  const given = useMemo(() => parseQuery(value, keys), [value, keys]);
  const faulty = given.errors.length > 0;
  const terms = faulty ? [] : given.terms;

  const [draft, setDraft] = useState(faulty ? value : '');
  const [seen, setSeen] = useState(value);
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [faults, setFaults] = useState<readonly QueryError[]>(given.errors);
  if (value !== seen) {
    setSeen(value);
    if (faulty) {
      setDraft(value);
      setFaults(given.errors);
    }
  }

  const options = open ? optionsFor(draft, Math.min(caret, draft.length), keys, suggest) : [];
  const current = active < options.length ? active : -1;

  // After a choice the caret goes where the next word is written, which React does not know.
  const wanted = useRef<[number, number] | null>(null);
  useLayoutEffect(() => {
    if (!wanted.current || !input.current) return;
    input.current.setSelectionRange(...wanted.current);
    wanted.current = null;
  });
  const write = (text: string, from = text.length, to = from) => {
    setDraft(text);
    setCaret(to);
    setActive(-1);
    setFaults([]);
    wanted.current = [from, to];
  };

  const put = (next: readonly Term[]) => {
    const text = printQuery(next);
    if (text !== value) onChange(text);
  };
  const submit = (text: string): boolean => {
    const entered = enter(terms, text, keys);
    const [first] = entered.errors;
    if (first) {
      write(text, first.start, first.end);
      setFaults(entered.errors);
      setOpen(false);
      return false;
    }
    write('');
    setOpen(false);
    if (text.trim() !== '') announce(`Added: ${spoken(entered.terms.at(-1)!)}`);
    put(entered.terms);
    return true;
  };
  const choose = (option: Option) => {
    if (option.whole && submit(option.draft)) return input.current?.focus();
    write(option.draft, option.caret);
    setOpen(true);
    input.current?.focus();
  };
  const remove = (index: number) => {
    announce(`Removed: ${spoken(terms[index]!)}`);
    put(terms.filter((_, i) => i !== index));
    input.current?.focus();
  };
  const edit = (index: number) => {
    // What is being written is not lost: it goes behind.
    write([printTerm(terms[index]!), draft].filter(Boolean).join(' '));
    put(terms.filter((_, i) => i !== index));
    setOpen(true);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const atStart = selectionStart === 0 && selectionEnd === 0;
    const handled = (() => {
      switch (event.key) {
        case 'Enter':
          if (options[current]) choose(options[current]);
          else submit(draft);
          return true;
        case ' ':
          return selectionEnd === draft.length && isWhole(draft, keys) && submit(draft);
        case 'ArrowDown':
        case 'ArrowUp': {
          setOpen(true);
          const step = event.key === 'ArrowDown' ? 1 : -1;
          const places = options.length + 1;
          setActive(((current + 1 + step + places) % places) - 1);
          return true;
        }
        case 'Escape':
          if (options.length > 0) setOpen(false);
          else if (draft !== '') write('');
          else return false;
          event.stopPropagation();
          return true;
        case 'Backspace':
          if (!atStart || draft !== '' || terms.length === 0) return false;
          edit(terms.length - 1);
          return true;
        case 'ArrowLeft':
          if (!atStart || terms.length === 0) return false;
          lastChip.current?.focus();
          return true;
        default:
          return false;
      }
    })();
    if (handled) event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain').replace(/[\r\n]+/g, ' ');
    const { selectionStart, selectionEnd } = event.currentTarget;
    const from = selectionStart ?? draft.length;
    event.preventDefault();
    const whole = draft.slice(0, from) + text + draft.slice(selectionEnd ?? from);
    // A whole query is entered as it is; words may be the beginning of something longer.
    if (isWhole(whole, keys)) submit(whole);
    else {
      write(whole, from + text.length);
      setFaults(text.includes(':') ? parseQuery(whole, keys).errors : []);
    }
  };

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
          <SearchRounded aria-hidden />
          <Parts aria-label={`Parts of ${label}`}>
            <QueryChips
              terms={terms}
              wrong={wrong}
              lastRef={lastChip}
              onEdit={edit}
              onRemove={remove}
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
                onChange={(event) => {
                  setDraft(event.target.value);
                  setCaret(event.target.selectionStart ?? event.target.value.length);
                  setActive(-1);
                  setFaults([]);
                  setOpen(true);
                }}
                onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? draft.length)}
                onKeyDown={onKeyDown}
                onPaste={onPaste}
                onClick={() => setOpen(true)}
                onBlur={() => setOpen(false)}
              />
            </li>
          </Parts>
          {draft.trim() !== '' ? (
            <Button size="small" onClick={() => submit(draft)}>
              Search
            </Button>
          ) : (
            terms.length > 0 && (
              <Button
                size="small"
                variant="text"
                onClick={() => {
                  announce('Removed all');
                  put([]);
                  input.current?.focus();
                }}
              >
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
          onPoint={setActive}
          onChoose={choose}
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

/** The text with the part that is wrong underlined. */
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
