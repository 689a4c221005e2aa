import CancelRounded from '@mui/icons-material/CancelRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { Ref } from 'react';
import { CopyButton } from '../controls/CopyButton';
import { TextLink } from '../link';
import { color, radius, space, type } from '../theme';
import { problemText, type Problem } from './problem';

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
const Foot = styled('div')({
  ...type.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
  marginTop: space(2),
  color: color.muted,
});
const Mono = styled('code')({ ...type.mono, fontSize: '12px', lineHeight: '16px', color: color.text });

/** What failed, why, what to do, and what to tell support. */
export function ErrorNotice({ problem, ref }: { problem: Problem; ref?: Ref<HTMLDivElement> }) {
  const { title, message, code, request_id, details = [], suggestions = [], retry } = problem;
  return (
    <Box role="alert" ref={ref} tabIndex={-1}>
      <Icon>
        <CancelRounded />
      </Icon>
      <Body>
        <Title>{title}</Title>
        <Text>{message}</Text>
        {details.length > 0 && (
          <List>
            {details.map((detail) => (
              <li key={`${detail.field} ${detail.message}`}>
                <Mono>{detail.field}</Mono> {detail.message}
              </li>
            ))}
          </List>
        )}
        {suggestions.length > 0 && (
          <List>
            {suggestions.map((suggestion) => (
              <li key={typeof suggestion === 'string' ? suggestion : suggestion.href}>
                {typeof suggestion === 'string' ? (
                  suggestion
                ) : (
                  <TextLink href={suggestion.href}>{suggestion.label}</TextLink>
                )}
              </li>
            ))}
          </List>
        )}
        <Foot>
          {retry && (
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          )}
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
          {(code !== undefined || request_id !== undefined) && (
            <CopyButton labelled text={problemText(problem)} what="error details" />
          )}
        </Foot>
      </Body>
    </Box>
  );
}
