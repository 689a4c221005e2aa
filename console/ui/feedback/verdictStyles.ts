import styled from '@emotion/styled';
import { below, color, radius, space, type } from '../theme';

/* A page's verdict: an icon, a question, its answer, and an action beside it. */

export const Box = styled('div')({
  display: 'grid',
  gridTemplateColumns: '20px minmax(0, 1fr) auto',
  gap: `${space(1)} ${space(3)}`,
  alignItems: 'start',
  padding: space(4),
  borderRadius: radius.panel,
  '& > a, & > button': { alignSelf: 'center' },
  [below.phone]: {
    gridTemplateColumns: '20px minmax(0, 1fr)',
    '& > a, & > button': { gridColumn: 2, justifySelf: 'start', marginTop: space(2) },
  },
});
export const Icon = styled('span')({
  display: 'inline-flex',
  height: 20,
  alignItems: 'center',
  fontSize: 18,
});
export const Question = styled('h2')({ ...type.caption, color: color.muted, fontWeight: 500 });
export const Answer = styled('p')({ ...type.heading });
export const Text = styled('p')({ ...type.body, maxWidth: '72ch', overflowWrap: 'anywhere' });
