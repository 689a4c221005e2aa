import styled from '@emotion/styled';
import { space } from '../theme';

/**
 * Stacks a page's sections with a uniform gap, even if a section is wrapped in another element. Overrides its
 * children's own margins.
 */
export const Sections = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: space(8),
  '&& > *': { marginTop: 0, marginBottom: 0 },
});
