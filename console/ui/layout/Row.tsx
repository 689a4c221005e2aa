import styled from '@emotion/styled';
import { space } from '../theme';

/** Controls beside each other, which wrap where there is no room. */
export const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
  minWidth: 0,
});
