import styled from '@emotion/styled';
import { space } from '../theme';

/** Controls in a row, which wrap if space is limited. */
export const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
  minWidth: 0,
});
