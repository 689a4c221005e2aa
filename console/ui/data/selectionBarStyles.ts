import styled from '@emotion/styled';
import { color, radius, shadow, space } from '../theme';

/** The bar for selected rows, which stays at the bottom of the window. */
export const Bar = styled('section')({
  position: 'sticky',
  bottom: space(4),
  zIndex: 3,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
  marginTop: space(3),
  padding: `${space(2)} ${space(3)}`,
  borderRadius: radius.panel,
  border: `1px solid ${color.line}`,
  backgroundColor: color.raised,
  boxShadow: shadow.raised,
});
