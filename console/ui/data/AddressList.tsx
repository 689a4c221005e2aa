import styled from '@emotion/styled';
import { CopyButton } from '../controls/CopyButton';
import { TextLink } from '../link';
import { color, space, type } from '../theme';

const List = styled('ul')({ display: 'grid', gap: space(1) });
const Item = styled('li')({
  ...type.mono,
  display: 'flex',
  alignItems: 'center',
  gap: space(1),
  minWidth: 0,
  '& > a, & > span': { minWidth: 0, overflowWrap: 'anywhere' },
});

interface Props {
  addresses: readonly { url: string; isServed: boolean }[];
}

/** Addresses to open and copy; where nothing can respond, only to copy. */
export function AddressList({ addresses }: Props) {
  return (
    <List>
      {addresses.map(({ url, isServed }) => (
        <Item key={url}>
          {isServed ? (
            <TextLink href={url} target="_blank">
              {url}
            </TextLink>
          ) : (
            <span style={{ color: color.muted }}>{url}</span>
          )}
          <CopyButton text={url} what="address" />
        </Item>
      ))}
    </List>
  );
}
