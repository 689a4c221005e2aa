import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { curly } from '../../lib/texts/curly';
import { Button, LinkButton } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { reasonOf } from '../../lib/activity/events';
import type { FoldedEvent } from '../../lib/activity/foldEvents';
import { printTerm } from '../../lib/query/syntax';
import { CopyButton } from '../../ui/controls/CopyButton';
import { EventIcon, eventInk, severityWord } from '../../ui/data/EventIcon';
import { KeyValue } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { duration, exactTime, toMs } from '../../ui/data/time';
import { TextLink } from '../../ui/link';
import { below, color, focusRingInset, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';

export interface EventLinks {
  /** The page of the event's CVM; null on that page itself. */
  cvm: (event: ActivityEvent) => string | null;
  /** The logs at the time of the event; null if there are none. */
  log: (event: ActivityEvent) => string | null;
  /** The event's URL, relative to the site root. */
  self: (event: ActivityEvent) => string;
}

/** @param causeShown whether the event's row already shows why the operation failed */
export type RenderOperation = (correlation_id: string, causeShown: boolean) => ReactNode;

const Item = styled('li')({ borderBottom: `1px solid ${color.line}`, scrollMargin: space(16) });
const Head = styled('button')({
  ...type.body,
  fontFamily: 'inherit',
  width: '100%',
  display: 'grid',
  gridTemplateColumns: '18px 16px minmax(0, 1fr) auto',
  alignItems: 'start',
  columnGap: space(2),
  padding: `${space(2)} ${space(1)}`,
  border: 0,
  background: 'none',
  color: color.text,
  textAlign: 'left',
  cursor: 'pointer',
  '&:hover': { backgroundColor: color.hover },
  '&:focus-visible': focusRingInset,
  '&[aria-expanded="true"]': { backgroundColor: color.selected },
  [below.phone]: { gridTemplateColumns: '18px 16px minmax(0, 1fr)' },
});
const Icon = styled('span')({ display: 'inline-flex', height: 20, alignItems: 'center', fontSize: 14 });
const Chevron = styled('span')({
  display: 'inline-flex',
  height: 20,
  alignItems: 'center',
  fontSize: 18,
  color: color.muted,
  '[aria-expanded="true"] > &': { transform: 'rotate(90deg)' },
});
const Words = styled('span')({ minWidth: 0, display: 'grid' });
const Message = styled('span')({ overflowWrap: 'anywhere' });
const Sub = styled('span')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const Kind = styled('code')({ ...type.mono, fontSize: '12px' });
const Time = styled('span')({
  ...type.small,
  color: color.muted,
  [below.phone]: { gridColumn: 3 },
});
const Body = styled('div')({
  display: 'grid',
  gap: space(4),
  padding: `${space(3)} ${space(2)} ${space(4)} ${space(11)}`,
  [below.phone]: { paddingLeft: space(2) },
});
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });
const Data = styled('pre')({
  ...type.mono,
  maxHeight: 240,
  overflow: 'auto',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
});

const StepList = styled('ol')({
  ...type.small,
  display: 'grid',
  gap: space(1),
  paddingLeft: space(3),
  borderLeft: `1px solid ${color.line}`,
  '& > li': { display: 'flex', gap: space(3), justifyContent: 'space-between', overflowWrap: 'anywhere' },
});

interface Props {
  event: ActivityEvent;
  /** The events folded into this row. */
  folded?: Omit<FoldedEvent, 'event'>;
  open: boolean;
  scrollTo: boolean;
  onToggle: () => void;
  links: EventLinks;
  operation?: RenderOperation | undefined;
  /** Adds a filter to the query. */
  narrow: (part: string) => void;
}

export function EventRow({ event, folded = unfolded(event), open, scrollTo, onToggle, ...rest }: Props) {
  const { severity, message, created_at, kind, cvm } = event;
  const { actor, reason, steps, took_ms } = folded;
  const item = useRef<HTMLLIElement>(null);
  const id = useId();
  useEffect(() => {
    const row = item.current;
    if (!scrollTo || !row) return;
    // The list may still be hidden while the content above it loads, and a hidden row can't take focus.
    const shown = new ResizeObserver(() => {
      if (row.offsetHeight === 0) return;
      shown.disconnect();
      row.scrollIntoView({ block: 'center' });
      row.querySelector('button')?.focus({ preventScroll: true });
    });
    shown.observe(row);
    return () => shown.disconnect();
  }, [scrollTo]);
  return (
    <Item ref={item}>
      <Head type="button" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <Chevron aria-hidden>
          <ChevronRightIcon />
        </Chevron>
        <Icon style={{ color: eventInk[severity] }}>
          <EventIcon kind={kind} severity={severity} />
        </Icon>
        <Words>
          <Message>
            <VisuallyHidden>{severityWord[severity]}</VisuallyHidden>
            {curly(message)}
            {reason === null || isFailure(event) ? '' : `: ${reason}`}
          </Message>
          <Sub>
            <Kind>{kind}</Kind>
            {rest.links.cvm(event) !== null && cvm?.name ? ` · ${cvm.name}` : ''}
            {/* Steps a host performs for a user's operation aren't attributed to the user. */}
            {actor !== null && !kind.startsWith('host.') ? ` · ${actor}` : ''}
            {took_ms === null ? '' : ` · took ${duration(took_ms)}`}
            {steps.length === 0 ? '' : ` · ${countSteps(steps.length)}`}
          </Sub>
        </Words>
        <Time>
          <RelativeTime at={created_at} />
        </Time>
      </Head>
      <div id={id} hidden={!open}>
        {open && <Details event={event} {...{ actor, reason, steps }} {...rest} />}
      </div>
    </Item>
  );
}

/** Wraps an event as an unfolded row. */
export const unfolded = (event: ActivityEvent): FoldedEvent => ({
  event,
  steps: [],
  actor: event.actor?.username ?? null,
  reason: reasonOf(event),
  took_ms: null,
});

/** A failure's message has the cause; after it, the reason for the change would read as part of it. */
const isFailure = ({ kind }: ActivityEvent) => kind.endsWith('.failed');

const countSteps = (count: number) => (count === 1 ? '1 step' : `${count} steps`);

function Details({
  event,
  actor,
  reason,
  steps,
  links,
  operation,
  narrow,
}: Pick<Props, 'event' | 'links' | 'operation' | 'narrow'> & Omit<FoldedEvent, 'took_ms'>) {
  const { kind, severity, created_at, correlation_id, cvm, data } = event;
  // The row already shows the duration.
  const { happened_at, reason: stated, took_ms: _, ...others } = data;
  const facts = reason === null && stated !== undefined ? { ...others, reason: stated } : others;
  const cvmHref = links.cvm(event);
  const logHref = links.log(event);
  const part = (key: string, value: string) => printTerm({ key, negated: false, values: [value] });
  return (
    <Body>
      <KeyValue
        facts={[
          { label: 'Time', value: exactTime(toMs(created_at)) },
          ...(typeof happened_at === 'string'
            ? [{ label: 'Host time', value: exactTime(toMs(happened_at)) }]
            : []),
          { label: 'Kind', value: <Kind>{kind}</Kind> },
          ...(cvmHref !== null && cvm
            ? [{ label: 'CVM', value: <TextLink href={cvmHref}>{cvm.name}</TextLink> }]
            : []),
          { label: 'By', value: actor ?? 'System' },
          ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
        ]}
      />
      {Object.keys(facts).length > 0 && (
        <Data tabIndex={0} role="group" aria-label="Event data">
          {JSON.stringify(facts, null, 2)}
        </Data>
      )}
      {correlation_id !== null && operation?.(correlation_id, isFailure(event))}
      {steps.length > 0 && (
        <StepList aria-label="Steps">
          {steps.toReversed().map((step) => (
            <li key={step.id}>
              <TextLink href={links.self(step)}>{curly(step.message)}</TextLink>
              <RelativeTime at={step.created_at} />
            </li>
          ))}
        </StepList>
      )}
      <Actions>
        {logHref !== null && (
          <LinkButton size="small" href={logHref}>
            Logs at this time
          </LinkButton>
        )}
        <Button size="small" onClick={() => narrow(part('kind', kind))}>
          Only this kind
        </Button>
        {severity !== 'info' && (
          <Button size="small" onClick={() => narrow(part('severity', severity))}>
            Only {severity}s
          </Button>
        )}
        {correlation_id !== null && (
          <Button size="small" onClick={() => narrow(part('operation', correlation_id))}>
            Only this operation
          </Button>
        )}
        <CopyButton text={new URL(links.self(event), location.origin).href} what="link to this event" />
      </Actions>
    </Body>
  );
}
