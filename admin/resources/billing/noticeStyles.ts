import styled from '@emotion/styled';
import { color, space, type } from '../../../console/ui/theme';

/** What forms say about money while they are filled in, one paragraph or notice below the other. */
export const Notes = styled('div')({ display: 'grid', gap: space(3) });
export const Note = styled('p')({ ...type.small, color: color.muted });
