import styled from '@emotion/styled';
import { type KeyboardEvent, type Ref } from 'react';
import { printTerm, type Term } from '../../lib/query/syntax';
import { RemoveChip } from '../controls/RemoveChip';
import { color, focusRingInset, radius, space, truncated, type } from '../theme';

const Chip = styled('li')({
  ...type.small,
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: 26,
  maxWidth: '100%',
  borderRadius: radius.control,
  backgroundColor: color.accentSoft,
  '&[data-negated="true"]': { backgroundColor: color.sunken },
  '&[data-wrong="true"]': { backgroundColor: color.errorSoft },
});
const Edit = styled('button')({
  ...type.small,
  fontFamily: 'inherit',
  display: 'inline-flex',
  minWidth: 0,
  height: 26,
  alignItems: 'center',
  gap: space(1),
  padding: `0 ${space(1)} 0 ${space(2)}`,
  border: 0,
  borderRadius: radius.control,
  background: 'none',
  color: color.text,
  cursor: 'pointer',
  whiteSpace: 'nowrap',
  '&:focus-visible': focusRingInset,
});
const Key = styled('span')({ color: color.muted });
const Not = styled('span')({ color: color.errorText, fontWeight: 550 });
const Value = styled('span')({ fontWeight: 500, ...truncated });
/** "not severity: info or warning", for screen readers. */
export function spoken({ key, negated, values }: Term): string {
  const what = key === null ? `text “${values[0]}”` : `${key}: ${values.join(' or ')}`;
  return negated ? `not ${what}` : what;
}

interface Props {
  terms: readonly Term[];
  /** Indices of the terms the server rejected. */
  wrong: ReadonlySet<number>;
  lastRef: Ref<HTMLButtonElement>;
  onEdit: (index: number) => void;
  onRemove: (index: number) => void;
  /** Called when the arrow keys move past the last chip. */
  onLeave: () => void;
}

/**
 * The query's terms. A click or Enter moves one back into the box, Delete removes it, arrow keys move between them.
 */
export function QueryChips({ terms, wrong, lastRef, onEdit, onRemove, onLeave }: Props) {
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>, index: number) => {
    const item = event.currentTarget.closest('li');
    const go = (to: Element | null | undefined) => to?.querySelector('button')?.focus();
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove(index);
    else if (event.key === 'ArrowLeft') go(item?.previousElementSibling);
    else if (event.key === 'ArrowRight')
      if (index === terms.length - 1) onLeave();
      else go(item?.nextElementSibling);
    else return;
    event.preventDefault();
  };
  return terms.map((term, i) => (
    <Chip key={`${i} ${printTerm(term)}`} data-negated={term.negated} data-wrong={wrong.has(i)}>
      <Edit
        type="button"
        ref={i === terms.length - 1 ? lastRef : undefined}
        title={printTerm(term)}
        aria-label={`Edit ${spoken(term)}`}
        aria-keyshortcuts="Delete"
        onClick={() => onEdit(i)}
        onKeyDown={(event) => onKeyDown(event, i)}
      >
        {term.negated && <Not>not</Not>}
        {term.key !== null && <Key>{term.key}</Key>}
        <Value>{term.key === null ? `“${term.values[0]}”` : term.values.join(', ')}</Value>
      </Edit>
      {/* Keyboard users press Delete on the chip, so one tab stop per chip is enough. */}
      <RemoveChip tabIndex={-1} aria-label={`Remove ${spoken(term)}`} onClick={() => onRemove(i)} />
    </Chip>
  ));
}
