import styled from '@emotion/styled';
import { color, space, type } from '../../../console/ui/theme';

/** Stacks a form's notes about money, one paragraph or notice per row. */
export const Notes = styled('div')({ display: 'grid', gap: space(3) });
export const Note = styled('p')({ ...type.small, color: color.muted });
