import styled from '@emotion/styled';
import { color, space, type } from '../../../ui/theme';

export const LinkActions = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
export const LinkText = styled('p')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
