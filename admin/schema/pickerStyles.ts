import styled from '@emotion/styled';
import { controlStyle } from '../../console/ui/forms/Field';
import { color, radius, shadow, space, type } from '../../console/ui/theme';

export const Box = styled('div')({ position: 'relative' });
export const Control = styled('input')(controlStyle);
export const Options = styled('ul')({
  position: 'absolute',
  zIndex: 10,
  left: 0,
  right: 0,
  top: 'calc(100% + 4px)',
  maxHeight: 280,
  overflowY: 'auto',
  padding: space(1),
  borderRadius: radius.panel,
  backgroundColor: color.raised,
  boxShadow: shadow.raised,
});
export const Option = styled('li')({
  ...type.body,
  padding: `${space(1.5)} ${space(2)}`,
  borderRadius: radius.small,
  cursor: 'pointer',
  overflowWrap: 'anywhere',
  '&.Mui-focused': { backgroundColor: color.hover },
  '&[aria-selected="true"]': { backgroundColor: color.selected },
});
export const None = styled('p')({
  ...type.small,
  color: color.muted,
  padding: `${space(1.5)} ${space(2)}`,
});
