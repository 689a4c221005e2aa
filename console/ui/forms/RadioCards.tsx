import styled from '@emotion/styled';
import { useId, type ReactNode } from 'react';
import { color, focusRing, motion, radius, space, tabular, type } from '../theme';
import { describedBy, FieldError, Help, type FieldProps } from './Field';

export interface RadioCard {
  value: string;
  name: string;
  /** Short facts below the name: "2 vCPU · 4 GB". */
  specs?: ReactNode;
  /** On the right, including its unit. */
  price?: ReactNode;
  badge?: ReactNode;
  /** Why it is unavailable; the card stays readable. */
  disabledReason?: string;
}

const Set = styled('fieldset')({
  border: 0,
  margin: 0,
  padding: 0,
  minWidth: 0,
  display: 'grid',
  gap: space(1.5),
});
const Legend = styled('legend')({ ...type.small, fontWeight: 550, padding: 0, marginBottom: space(1.5) });
const Grid = styled('div')({ display: 'grid', gap: space(2), containerType: 'inline-size' });
const Cards = styled('div')({
  display: 'grid',
  gap: space(2),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 232px), 1fr))',
});
const Card = styled('label')({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  columnGap: space(2.5),
  alignItems: 'start',
  padding: `${space(2.5)} ${space(3)}`,
  border: `1px solid ${color.control}`,
  borderRadius: radius.panel,
  cursor: 'pointer',
  transition: `border-color ${motion.fast}, background-color ${motion.fast}`,
  '&:hover': { backgroundColor: color.hover },
  '&:has(:checked)': {
    borderColor: color.accent,
    boxShadow: `inset 0 0 0 1px ${color.accent}`,
    backgroundColor: color.selected,
  },
  '&:has(:disabled)': { cursor: 'not-allowed', borderColor: color.line, backgroundColor: color.sunken },
  '&:has(:focus-visible)': focusRing,
});
const Dot = styled('input')({
  appearance: 'none',
  width: 16,
  height: 16,
  margin: '2px 0',
  borderRadius: '50%',
  border: `1px solid ${color.control}`,
  backgroundColor: color.surface,
  cursor: 'inherit',
  outline: 'none !important',
  '&:checked': { borderColor: color.accent, borderWidth: 5 },
});
const Name = styled('span')({ ...type.body, fontWeight: 550, overflowWrap: 'anywhere' });
const Specs = styled('span')({
  ...type.caption,
  ...tabular,
  display: 'block',
  color: color.muted,
  marginTop: 2,
});
const Reason = styled('span')({
  ...type.caption,
  gridColumn: '2 / -1',
  marginTop: 2,
  color: color.attentionText,
});
const Price = styled('span')({ ...type.small, ...tabular, textAlign: 'right', whiteSpace: 'nowrap' });

interface Props extends Omit<FieldProps, 'optional'> {
  name: string;
  cards: readonly RadioCard[];
  value: string | null;
  onChange: (value: string) => void;
}

/** A choice between a few options with facts to compare. Arrow keys move the selection, as in any radio group. */
export function RadioCards({ label, help, error, name, cards, value, onChange }: Props) {
  const id = useId();
  const invalid = error !== undefined;
  return (
    <Set {...describedBy(invalid && `${id}-error`, help !== undefined && `${id}-help`)}>
      <Legend>{label}</Legend>
      <Grid>
        <Cards>
          {cards.map((card) => {
            const disabled = card.disabledReason !== undefined;
            return (
              <Card key={card.value}>
                <Dot
                  type="radio"
                  name={name}
                  value={card.value}
                  checked={value === card.value}
                  disabled={disabled}
                  {...(invalid ? { 'aria-invalid': true } : {})}
                  onChange={() => onChange(card.value)}
                />
                <span>
                  <Name style={disabled ? { color: color.muted } : undefined}>
                    {card.name} {card.badge}
                  </Name>
                  {card.specs !== undefined && <Specs>{card.specs}</Specs>}
                </span>
                {card.price !== undefined && (
                  <Price style={disabled ? { color: color.muted } : undefined}>{card.price}</Price>
                )}
                {disabled && <Reason>{card.disabledReason}</Reason>}
              </Card>
            );
          })}
        </Cards>
      </Grid>
      {invalid && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {help !== undefined && <Help id={`${id}-help`}>{help}</Help>}
    </Set>
  );
}
