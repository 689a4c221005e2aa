import styled from '@emotion/styled';
import { color, space, type } from './theme';

export const BulletList = styled('ul')({
  ...type.body,
  display: 'grid',
  gap: space(1),
  paddingLeft: space(4),
  listStyle: 'disc',
  // Hashes and image references have no break opportunity.
  overflowWrap: 'anywhere',
  '& > li::marker': { color: color.control },
  // Many short items, in columns.
  '&[data-columns]': {
    display: 'block',
    columns: '224px auto',
    '& > li': { marginBottom: space(1) },
  },
});
