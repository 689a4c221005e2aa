import styled from '@emotion/styled';
import { color, space, type } from '../../../ui/theme';

export const Heading = styled('h3')({ ...type.body, fontWeight: 600, marginBottom: space(2) });
export const Text = styled('p')({
  ...type.small,
  color: color.muted,
  maxWidth: '72ch',
  overflowWrap: 'anywhere',
});
export const Mono = styled('code')({ ...type.mono, color: color.muted, overflowWrap: 'anywhere' });
export const Items = styled('ul')({
  ...type.body,
  display: 'grid',
  gap: space(2),
  minWidth: 0,
  overflowWrap: 'anywhere',
});
