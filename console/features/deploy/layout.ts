import { styled } from '@mui/material/styles';
import { space, type } from '../../ui/theme';

/** Panels of one form. Their own distance is for pages; here they stand closer, and evenly. */
export const Sections = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: space(8),
  '&& > section': { marginTop: 0 },
});

/** What few need, closed until asked for. */
export const Fold = styled('details')({
  minWidth: 0,
  '& > summary': { ...type.heading, cursor: 'pointer', padding: `${space(1)} 0` },
  '&[open] > summary': { marginBottom: space(3) },
});
