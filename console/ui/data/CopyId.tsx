import CheckIcon from 'lucide-react/icons/check';
import CopyIcon from 'lucide-react/icons/copy';
import styled from '@emotion/styled';
import { useCopy } from '../controls/copy';
import { color, motion, radius, space, truncated, type } from '../theme';
import { shortId } from './truncate';

const Button = styled('button')({
  ...type.mono,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(1.5),
  // Compensates for the margins: otherwise a container as narrow as the ID would clip its end.
  maxWidth: `calc(100% + ${space(2)})`,
  margin: `0 -${space(1)}`,
  padding: `0 ${space(1)}`,
  border: 0,
  borderRadius: radius.small,
  background: 'none',
  color: 'inherit',
  cursor: 'copy',
  textAlign: 'left',
  transition: `background-color ${motion.fast}`,
  '& svg': {
    flex: 'none',
    fontSize: 13,
    color: color.faint,
    opacity: 0.0001,
    transition: `opacity ${motion.fast}`,
  },
  '&:hover': { backgroundColor: color.hover },
  '&:hover svg, &:focus-visible svg, &[data-copied="true"] svg': { opacity: 1 },
  // Touch screens have no hover, so the icon is always visible.
  '@media (hover: none)': { '& svg': { opacity: 1 } },
});
const Text = styled('span')({
  ...truncated,
  '&[data-whole]': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
});

/**
 * A copyable ID, shortened in the middle, with the full ID on hover. `most` = 0 shows it in full, wrapped if
 * necessary; see `shortId`.
 */
export function CopyId({ id, what = 'ID', most }: { id: string; what?: string; most?: number }) {
  const [state, copy] = useCopy(id);
  return (
    <Button
      type="button"
      title={id}
      aria-label={`Copy ${what} ${id}`}
      data-copied={state === 'copied'}
      onClick={copy}
    >
      <Text data-whole={most === 0 || undefined}>{shortId(id, most)}</Text>
      {state === 'copied' ? <CheckIcon style={{ color: color.okText }} /> : <CopyIcon />}
    </Button>
  );
}
