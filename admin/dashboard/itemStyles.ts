import styled from '@emotion/styled';
import { color, type } from '../../console/ui/theme';

/* An item of the overview's lists: its tone at the left, its time at the right. */

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
