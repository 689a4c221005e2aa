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

/** Addresses to open and copy; if nothing answers there, only to copy. */
export function AddressList({ addresses, answering }: { addresses: readonly string[]; answering: boolean }) {
  return (
    <List>
      {addresses.map((address) => (
        <Item key={address}>
          {answering ? (
            <TextLink href={address} target="_blank">
              {address}
            </TextLink>
          ) : (
            <span style={{ color: color.muted }}>{address}</span>
          )}
          <CopyButton text={address} what="address" />
        </Item>
      ))}
    </List>
  );
}
