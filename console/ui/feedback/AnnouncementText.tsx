import styled from '@emotion/styled';
import { Fragment } from 'react';
import { parseAnnouncement, type Inline } from '../../lib/announcementText';
import { TextLink } from '../link';
import { space, type } from '../theme';

const List = styled('ul')({ margin: `${space(1)} 0 0`, paddingLeft: space(5), listStyle: 'disc' });
const Code = styled('code')({ ...type.mono });

function Part({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'strong':
      return <strong>{part.text}</strong>;
    case 'code':
      return <Code>{part.text}</Code>;
    case 'link':
      return <TextLink href={part.href}>{part.text}</TextLink>;
    default:
      return <>{part.text}</>;
  }
}

const Line = ({ parts }: { parts: readonly Inline[] }) => (
  <>
    {parts.map((part, index) => (
      <Part key={index} part={part} />
    ))}
  </>
);

/** An announcement's message, rendered as text only: no markup reaches the page. */
export function AnnouncementText({ text }: { text: string }) {
  return (
    <>
      {parseAnnouncement(text).map((block, index) =>
        block.kind === 'list' ? (
          <List key={index}>
            {block.items.map((item, place) => (
              <li key={place}>
                <Line parts={item} />
              </li>
            ))}
          </List>
        ) : (
          <p key={index}>
            {block.lines.map((line, place) => (
              <Fragment key={place}>
                {place > 0 && <br />}
                <Line parts={line} />
              </Fragment>
            ))}
          </p>
        ),
      )}
    </>
  );
}
