import styled from '@emotion/styled';
import { color, type } from '../../console/ui/theme';

/* An item in the overview's lists: tone on the left, time on the right. */

export const Icon = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  height: 20,
  fontSize: 16,
});
export const Since = styled('span')({
  ...type.caption,
  color: color.muted,
  lineHeight: '20px',
});
