import styled from '@emotion/styled';
import { TextLink } from '../link';
import { color, focusRing, radius, space, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';
import { EventIcon, eventInk, severityWord } from './EventIcon';
import { RelativeTime } from './RelativeTime';
import { duration, type Instant } from './time';

interface EventStep {
  id: string;
  message: string;
  at: Instant;
}

export interface EventItem extends EventStep {
  kind: string;
  severity: 'info' | 'warning' | 'error';
  /** What the event happened to. */
  subject?: { label: string; href: string };
  /** Who caused it. */
  actor?: string;
  /** The operation's duration. */
  took_ms?: number;
  /** The operation's steps, oldest first. */
  steps?: readonly EventStep[];
  /** Label of the folded steps instead of their number. */
  stepsLabel?: string;
}

const List = styled('ol')({ display: 'grid' });
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  columnGap: space(2.5),
  padding: `${space(2)} 0`,
  borderBottom: `1px solid ${color.line}`,
  '&:last-of-type': { borderBottom: 0 },
});
const Icon = styled('span')({ display: 'inline-flex', height: 20, alignItems: 'center', fontSize: 14 });
const Message = styled('p')({ ...type.body, overflowWrap: 'anywhere' });
const Sub = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const Time = styled('span')({ ...type.small, color: color.muted });
const Steps = styled('details')({
  ...type.small,
  color: color.muted,
  '& > summary': { width: 'fit-content', cursor: 'pointer', borderRadius: radius.small },
  '& > summary:hover': { color: color.text },
  '& > summary:focus-visible': focusRing,
});
const StepList = styled('ol')({
  display: 'grid',
  gap: space(1),
  marginTop: space(1),
  paddingLeft: space(3),
  borderLeft: `1px solid ${color.line}`,
  '& > li': { display: 'flex', gap: space(3), justifyContent: 'space-between', overflowWrap: 'anywhere' },
});

/** Events, newest first. */
export function EventList({ events, label }: { events: readonly EventItem[]; label: string }) {
  return (
    <List aria-label={label}>
      {events.map((event) => (
        <Row key={event.id} event={event} />
      ))}
    </List>
  );
}

function Row({ event }: { event: EventItem }) {
  const { kind, severity, message, at, subject, actor, took_ms, steps = [], stepsLabel } = event;
  const notes = [actor, took_ms === undefined ? undefined : `took ${duration(took_ms)}`].filter(
    (note) => note !== undefined,
  );
  return (
    <Item>
      <Icon style={{ color: eventInk[severity] }}>
        <EventIcon kind={kind} severity={severity} />
      </Icon>
      <div>
        <Message>
          <VisuallyHidden>{severityWord[severity]}</VisuallyHidden>
          {message}
        </Message>
        {(subject || notes.length > 0) && (
          <Sub>
            {subject && <TextLink href={subject.href}>{subject.label}</TextLink>}
            {subject && notes.length > 0 && ' · '}
            {notes.join(' · ')}
          </Sub>
        )}
        {steps.length > 0 && (
          <Steps>
            <summary>{stepsLabel ?? (steps.length === 1 ? '1 step' : `${steps.length} steps`)}</summary>
            <StepList>
              {steps.map((step) => (
                <li key={step.id}>
                  {step.message}
                  <RelativeTime at={step.at} />
                </li>
              ))}
            </StepList>
          </Steps>
        )}
      </div>
      <Time>
        <RelativeTime at={at} />
      </Time>
    </Item>
  );
}
