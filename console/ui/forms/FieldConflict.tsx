import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { chosenValues, firstChoice, type Difference, type Side } from '../../lib/fieldConflict';
import { color, focusRing, radius, space, type } from '../theme';
import { ownValue } from '../../lib/ownValue';
import { FieldGroup } from './Field';

const Box = styled('section')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: space(4),
  padding: space(4),
  marginBottom: space(4),
  '&:last-child': { marginBottom: 0 },
  border: `1px solid ${color.attentionSolid}`,
  borderRadius: radius.panel,
  '&:focus-visible': focusRing,
});
const Title = styled('h2')({ ...type.heading });
const Text = styled('p')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
const Was = styled('div')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const Choice = styled('label')({
  display: 'grid',
  gridTemplateColumns: 'auto 56px minmax(0, 1fr)',
  alignItems: 'baseline',
  gap: space(2),
  ...type.body,
  padding: `${space(1)} ${space(2)}`,
  borderRadius: radius.control,
  overflowWrap: 'anywhere',
  cursor: 'pointer',
  '&:has(:checked)': { backgroundColor: color.selected },
});
const Whose = styled('span')({ color: color.muted });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  found: readonly Difference[];
  /** The other change and its author, in the server's words. */
  message?: string;
  label: (name: string) => string;
  show: (name: string, value: unknown, whose: 'was' | Side) => ReactNode;
  /** Called with the values to apply to the current record. */
  onSettled: (mine: Record<string, unknown>) => void;
}

/** For each field, the form's original value, its current input and another user's saved value, to choose from. */
export function FieldConflict({ found, message, label, show, onSettled }: Props) {
  const [choices, setChoices] = useState<Record<string, Side>>({});
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const disputed = found.filter((one) => one.disputed).length;
  return (
    <Box ref={box} tabIndex={-1} aria-labelledby={id}>
      <Title id={id}>Changed while you were editing</Title>
      {message !== undefined && <Text>{message}</Text>}
      {found.length > 0 && (
        <Text>
          {disputed === 0
            ? 'Your changes don’t overlap. Nothing was saved yet.'
            : `${disputed === 1 ? 'One field' : `${disputed} fields`} changed on both sides. Nothing was saved yet.`}
        </Text>
      )}
      {found.map((one) => (
        <Field
          key={one.name}
          id={id}
          one={one}
          label={label(one.name)}
          show={(value, whose) => show(one.name, value, whose)}
          side={ownValue(choices, one.name) ?? firstChoice(one)}
          onChoose={(side) => setChoices({ ...choices, [one.name]: side })}
        />
      ))}
      <Row>
        <Button variant="contained" onClick={() => onSettled(chosenValues(found, choices))}>
          Use these values
        </Button>
        <Button onClick={() => onSettled({})}>Discard my changes</Button>
      </Row>
    </Box>
  );
}

interface FieldProps {
  id: string;
  one: Difference;
  label: string;
  show: (value: unknown, whose: 'was' | Side) => ReactNode;
  side: Side;
  onChoose: (side: Side) => void;
}

function Field({ id, one, label, show, side, onChoose }: FieldProps) {
  const choice = (which: Side, whose: string, value: unknown) => (
    <Choice>
      <input
        type="radio"
        name={`${id}-${one.name}`}
        checked={side === which}
        onChange={() => onChoose(which)}
      />
      <Whose>{whose}</Whose>
      <span>{show(value, which)}</span>
    </Choice>
  );
  return (
    <FieldGroup label={label}>
      <Was>Was: {show(one.was, 'was')}</Was>
      {choice('mine', 'Yours', one.mine)}
      {choice('theirs', 'Current', one.theirs)}
    </FieldGroup>
  );
}
