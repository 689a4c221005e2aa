import ChevronLeftIcon from 'lucide-react/icons/chevron-left';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { Button, LinkButton } from '../controls/Button';
import { count, totalOf } from '../../lib/texts/count';
import { Counts, Foot } from './tableStyles';

/** A list's position. Targets are addresses (state belongs in the URL) or, for lists inside a page, callbacks. */
export interface Paging {
  /** Index of the first row shown, from 0; unknown with keyset paging. */
  offset?: number;
  total?: number;
  /** Whether the total is an estimate. */
  estimated?: boolean;
  previous?: string | (() => void);
  next?: string | (() => void);
}

function Turn({ to, direction }: { to: Paging['next']; direction: 'previous' | 'next' }) {
  const icon = direction === 'next' ? { endIcon: <ChevronRightIcon /> } : { startIcon: <ChevronLeftIcon /> };
  const label = direction === 'next' ? 'Next' : 'Previous';
  if (typeof to === 'string') {
    return (
      <LinkButton size="small" href={to} rel={direction === 'next' ? 'next' : 'prev'} {...icon}>
        {label}
      </LinkButton>
    );
  }
  return (
    <Button size="small" disabled={to === undefined} onClick={to} {...icon}>
      {label}
    </Button>
  );
}

export function Pager({ paging, shown, label }: { paging: Paging; shown: number; label: string }) {
  const { offset, total, estimated, previous, next } = paging;
  if (previous === undefined && next === undefined) return null;
  const range =
    offset === undefined
      ? `${count(shown)} on this page`
      : `${count(offset + 1)}–${count(offset + shown)}${total === undefined ? '' : ` of ${totalOf(total, estimated)}`}`;
  return (
    <Foot aria-label={`Pages of ${label}`}>
      <Counts>{range}</Counts>
      <span style={{ display: 'inline-flex', gap: 8 }}>
        <Turn to={previous} direction="previous" />
        <Turn to={next} direction="next" />
      </span>
    </Foot>
  );
}
