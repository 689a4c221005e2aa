import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { printTerm } from '../../lib/query/syntax';
import { CopyButton } from '../../ui/controls/CopyButton';
import { LinkButton } from '../../ui/controls/LinkButton';
import { KeyValue } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { exactTime, toMs } from '../../ui/data/time';
import { Glyph } from '../../ui/feedback/Glyph';
import { TextLink } from '../../ui/link';
import { below, color, focusRingInset, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';

export interface EventLinks {
  /** The page of the CVM it is about; null where that is the page itself. */
  cvm: (event: ActivityEvent) => string | null;
  /** What the logs held at that moment; null for what has no log. */
  log: (event: ActivityEvent) => string | null;
  /** Its own address, from the root of the site. */
  self: (event: ActivityEvent) => string;
}

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

const looks = {
  info: { glyph: 'dot', ink: color.neutralSolid, word: '' },
  warning: { glyph: 'warning', ink: color.attentionText, word: 'Warning: ' },
  error: { glyph: 'cross', ink: color.errorText, word: 'Error: ' },
} as const;

interface Props {
  event: ActivityEvent;
  open: boolean;
  scrollTo: boolean;
  onToggle: () => void;
  links: EventLinks;
  operation?: ((correlation_id: string) => ReactNode) | undefined;
  /** Adds a part to the search. */
  narrow: (part: string) => void;
}

export function EventRow({ event, open, scrollTo, onToggle, ...rest }: Props) {
  const { severity, message, created_at, kind, cvm, actor } = event;
  const { glyph, ink, word } = looks[severity];
  const item = useRef<HTMLLIElement>(null);
  const id = useId();
  useEffect(() => {
    if (!scrollTo) return;
    item.current?.scrollIntoView({ block: 'center' });
    item.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [scrollTo]);
  return (
    <Item ref={item}>
      <Head type="button" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <Chevron aria-hidden>
          <ChevronRightRounded fontSize="inherit" />
        </Chevron>
        <Icon style={{ color: ink }}>
          <Glyph name={glyph} />
        </Icon>
        <Words>
          <Message>
            <VisuallyHidden>{word}</VisuallyHidden>
            {message}
          </Message>
          <Sub>
            <Kind>{kind}</Kind>
            {rest.links.cvm(event) !== null && cvm?.name ? ` · ${cvm.name}` : ''}
            {/* What a host does for somebody's operation is not done by them. */}
            {actor?.username && !kind.startsWith('host.') ? ` · ${actor.username}` : ''}
          </Sub>
        </Words>
        <Time>
          <RelativeTime at={created_at} />
        </Time>
      </Head>
      <div id={id} hidden={!open}>
        {open && <Details event={event} {...rest} />}
      </div>
    </Item>
  );
}

function Details({
  event,
  links,
  operation,
  narrow,
}: Pick<Props, 'event' | 'links' | 'operation' | 'narrow'>) {
  const { kind, severity, created_at, correlation_id, cvm, actor, data } = event;
  const { happened_at, ...facts } = data;
  const cvmHref = links.cvm(event);
  const logHref = links.log(event);
  const part = (key: string, value: string) => printTerm({ key, negated: false, values: [value] });
  return (
    <Body>
      <KeyValue
        facts={[
          { label: 'At', value: exactTime(toMs(created_at)) },
          ...(typeof happened_at === 'string'
            ? [{ label: 'On the host at', value: exactTime(toMs(happened_at)) }]
            : []),
          { label: 'Kind', value: <Kind>{kind}</Kind> },
          ...(cvmHref !== null && cvm
            ? [{ label: 'CVM', value: <TextLink href={cvmHref}>{cvm.name}</TextLink> }]
            : []),
          { label: 'By', value: actor?.username ?? 'by itself' },
        ]}
      />
      {Object.keys(facts).length > 0 && (
        <Data tabIndex={0} role="group" aria-label="Facts">
          {JSON.stringify(facts, null, 2)}
        </Data>
      )}
      {correlation_id !== null && operation?.(correlation_id)}
      <Actions>
        {logHref !== null && (
          <LinkButton size="small" href={logHref}>
            Log at that moment
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
