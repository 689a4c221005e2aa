import {
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
} from 'react';
import { parseQuery, printQuery, printTerm, type QueryError, type Term } from '../../lib/query/syntax';
import { useAnnounce } from '../announce';
import type { QueryBuilderProps } from './QueryBuilder';
import { spoken } from './QueryChips';
import { enter, isWhole, type Option, optionsFor, type Suggest } from './queryDraft';

const nothing: Suggest = () => [];

/** State of the search box: chips come from `value`, the draft is its own. */
export function useQueryBuilder({
  keys,
  value,
  onChange,
  suggest = nothing,
}: Pick<QueryBuilderProps, 'keys' | 'value' | 'onChange' | 'suggest'>) {
  const announce = useAnnounce();
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

  // After a choice, the caret moves to where the next word is typed, which React doesn't track.
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
    const added = parseQuery(text, keys).terms.map(spoken).join(', ');
    if (added !== '') announce(`Added: ${added}`);
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
    // The current draft isn't lost: it is appended.
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
    const { terms: pasted, errors } = parseQuery(whole, keys);
    // Enters a complete query immediately; words alone may be the start of something longer.
    if (errors.length === 0 && pasted.some(({ key }) => key !== null)) submit(whole);
    else {
      write(whole, from + text.length);
      setFaults(text.includes(':') ? errors : []);
    }
  };

  const clear = () => {
    announce('Search cleared');
    put([]);
    input.current?.focus();
  };
  const onInput = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setDraft(target.value);
    setCaret(target.selectionStart ?? target.value.length);
    setActive(-1);
    setFaults([]);
    setOpen(true);
  };
  return {
    terms,
    draft,
    faults,
    options,
    current,
    input,
    lastChip,
    /** Chip actions. */
    edit,
    remove,
    clear,
    /** Option actions. */
    choose,
    point: setActive,
    submit,
    /** Handlers for the input. */
    handlers: {
      onChange: onInput,
      onSelect: (event: { currentTarget: HTMLInputElement }) =>
        setCaret(event.currentTarget.selectionStart ?? draft.length),
      onKeyDown,
      onPaste,
      onClick: () => setOpen(true),
      onBlur: () => setOpen(false),
    },
  };
}
