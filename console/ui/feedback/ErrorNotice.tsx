import CircleXIcon from 'lucide-react/icons/circle-x';
import { Button, LinkButton } from '../controls/Button';
import styled from '@emotion/styled';
import type { Ref } from 'react';
import { CopyButton } from '../controls/CopyButton';
import { TextLink } from '../link';
import { color, focusRing, radius, space, type } from '../theme';
import { problemText, summarize, type Problem, type Suggestion } from './problem';

const Box = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  columnGap: space(3),
  padding: `${space(3)} ${space(4)}`,
  borderRadius: radius.panel,
  backgroundColor: color.errorSoft,
  boxShadow: `inset 3px 0 0 ${color.errorSolid}`,
  overflow: 'hidden',
});
const Icon = styled('span')({
  display: 'inline-flex',
  height: 20,
  alignItems: 'center',
  fontSize: 16,
  color: color.errorText,
});
const Body = styled('div')({ minWidth: 0, overflowWrap: 'anywhere' });
const Title = styled('p')({ ...type.body, fontWeight: 600, color: color.text });
const Text = styled('p')({ ...type.body, color: color.text, maxWidth: '72ch', whiteSpace: 'pre-line' });
const List = styled('ul')({
  ...type.body,
  marginTop: space(2),
  paddingLeft: space(4),
  listStyle: 'disc',
  color: color.text,
  '& > li::marker': { color: color.errorText },
});
const LogLine = styled('code')({
  ...type.mono,
  display: 'block',
  marginTop: space(2),
  padding: `${space(1.5)} ${space(2)}`,
  borderRadius: radius.small,
  backgroundColor: color.surface,
  color: color.text,
  whiteSpace: 'pre-wrap',
});
const Log = styled('pre')({
  ...type.mono,
  maxHeight: 240,
  overflow: 'auto',
  margin: 0,
  padding: space(2),
  borderRadius: radius.small,
  backgroundColor: color.surface,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  '&:focus-visible': focusRing,
});
const Action = styled('div')({ display: 'flex', marginTop: space(2) });
const Folded = styled('details')({
  ...type.small,
  marginTop: space(2),
  color: color.muted,
  '& > summary': { width: 'fit-content', cursor: 'pointer', borderRadius: radius.small },
  '& > summary:hover': { color: color.text },
  '& > summary:focus-visible': focusRing,
});
const Rest = styled('div')({ display: 'grid', gap: space(2), paddingTop: space(2) });
const Ids = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
});
const Mono = styled('code')({ ...type.mono, fontSize: '12px', lineHeight: '16px', color: color.text });

/** What failed, why, and one action; details for support are collapsed. */
export function ErrorNotice({ problem, ref }: { problem: Problem; ref?: Ref<HTMLDivElement> }) {
  const { title, retry, log } = problem;
  const { message, details, advice, link, more } = summarize(problem);
  return (
    <Box role="alert" ref={ref} tabIndex={-1}>
      <Icon>
        <CircleXIcon />
      </Icon>
      <Body>
        <Title>{title}</Title>
        {message !== null && <Text>{message}</Text>}
        {log && log.line !== '' && <LogLine>{log.line}</LogLine>}
        {details.length > 0 && (
          <List>
            {details.map((detail) => (
              <li key={`${detail.field} ${detail.message}`}>
                <Mono>{detail.field}</Mono> {detail.message}
              </li>
            ))}
          </List>
        )}
        {advice !== null && <Text style={{ marginTop: space(1) }}>{advice}</Text>}
        {(retry || link) && (
          <Action>
            {retry ? (
              <Button size="small" onClick={retry}>
                Try again
              </Button>
            ) : (
              link && (
                <LinkButton size="small" href={link.href}>
                  {link.label}
                </LinkButton>
              )
            )}
          </Action>
        )}
        <Details problem={problem} more={more} />
      </Body>
    </Box>
  );
}

function Details({ problem, more }: { problem: Problem; more: Suggestion[] }) {
  const { code, request_id, log } = problem;
  const whole = log && log.whole.trim() !== log.line ? log.whole : null;
  if (whole === null && more.length === 0 && code === undefined && request_id === undefined) return null;
  return (
    <Folded>
      <summary>Details</summary>
      <Rest>
        {whole !== null && (
          <Log tabIndex={0} role="group" aria-label="Full output">
            {whole}
          </Log>
        )}
        {more.map((one) =>
          typeof one === 'string' ? (
            <p key={one}>{one}</p>
          ) : (
            <TextLink key={one.href} href={one.href}>
              {one.label}
            </TextLink>
          ),
        )}
        <Ids>
          {code !== undefined && (
            <span>
              Code <Mono>{code}</Mono>
            </span>
          )}
          {request_id !== undefined && (
            <span>
              Request <Mono>{request_id}</Mono>
            </span>
          )}
          <CopyButton labelled text={problemText(problem)} what="error details" />
        </Ids>
      </Rest>
    </Folded>
  );
}
