import styled from '@emotion/styled';
import { space } from '../theme';

/**
 * Stacks a page's sections with one gap between any two, also where a section is wrapped in another element.
 * Its children's own margins don't count.
 */
export const Sections = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: space(8),
  '&& > *': { marginTop: 0, marginBottom: 0 },
});
