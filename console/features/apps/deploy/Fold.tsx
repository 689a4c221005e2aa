import styled from '@emotion/styled';
import { useState, type ReactNode } from 'react';
import { color, space, type } from '../../../ui/theme';

const Details = styled('details')({
  minWidth: 0,
  '& > summary': { ...type.heading, cursor: 'pointer', padding: `${space(1)} 0` },
  '&[open] > summary': { marginBottom: space(3) },
});
const Hint = styled('span')({
  ...type.small,
  display: 'block',
  marginTop: space(0.5),
  color: color.muted,
  fontWeight: 400,
});

interface Props {
  label: string;
  /** Summary of the contents, under the label. */
  hint?: string;
  /** Whether its content differs from the defaults. */
  changed: boolean;
  invalid?: boolean;
  children: ReactNode;
}

/**
 * Rarely used settings, collapsed by default. Opens when its content differs from the defaults or becomes invalid.
 * Only the user closes it: a field that returns to its default must not disappear while being edited.
 */
export function Fold({ label, hint, changed, invalid = false, children }: Props) {
  const [isOpen, setOpen] = useState(changed || invalid);
  const [seen, setSeen] = useState({ changed, invalid });
  if (seen.changed !== changed || seen.invalid !== invalid) {
    setSeen({ changed, invalid });
    if ((changed && !seen.changed) || (invalid && !seen.invalid)) setOpen(true);
  }
  return (
    <Details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        {hint !== undefined && <Hint>{hint}</Hint>}
      </summary>
      {children}
    </Details>
  );
}
