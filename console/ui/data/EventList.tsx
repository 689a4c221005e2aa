import { styled } from '@mui/material/styles';
import { Glyph } from '../feedback/Glyph';
import { TextLink } from '../link';
import { color, space, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';
import { RelativeTime } from './RelativeTime';
import type { Instant } from './time';

export interface EventItem {
  id: string;
  severity: 'info' | 'warning' | 'error';
  message: string;
  at: Instant;
  /** The thing it happened to. */
  subject?: { label: string; href: string };
  /** Who caused it. */
  actor?: string;
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

const looks = {
  info: { glyph: 'dot', ink: color.neutralSolid, word: '' },
  warning: { glyph: 'warning', ink: color.attentionText, word: 'Warning: ' },
  error: { glyph: 'cross', ink: color.errorText, word: 'Error: ' },
} as const;

/** What happened, newest first. */
export function EventList({ events, label }: { events: readonly EventItem[]; label: string }) {
  return (
    <List aria-label={label}>
      {events.map(({ id, severity, message, at, subject, actor }) => {
        const { glyph, ink, word } = looks[severity];
        return (
          <Item key={id}>
            <Icon style={{ color: ink }}>
              <Glyph name={glyph} />
            </Icon>
            <div>
              <Message>
                <VisuallyHidden>{word}</VisuallyHidden>
                {message}
              </Message>
              {(subject || actor !== undefined) && (
                <Sub>
                  {subject && <TextLink href={subject.href}>{subject.label}</TextLink>}
                  {subject && actor !== undefined && ' · '}
                  {actor}
                </Sub>
              )}
            </div>
            <Time>
              <RelativeTime at={at} />
            </Time>
          </Item>
        );
      })}
    </List>
  );
}
