import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useId, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { color, radius, space, type } from '../../console/ui/theme';
import { problemOf } from '../http';
import type { AdminRecord } from '../record';
import { Fact } from '../schema/Fact';
import type { FieldDescription } from '../schema/types';
import { chosen, differences, firstChoice, type Difference, type Side } from './differences';

const Box = styled('section')({
  display: 'grid',
  gap: space(4),
  padding: space(4),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Title = styled('h2')({ ...type.heading });
const Text = styled('p')({ ...type.body, color: color.muted });
const One = styled('fieldset')({
  display: 'grid',
  gap: space(2),
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
});
const Name = styled('legend')({ ...type.body, fontWeight: 550, padding: 0 });
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

interface Props {
  fields: readonly FieldDescription[];
  /** The record as this form began. */
  was: AdminRecord;
  /** Reads it as it is now. */
  read: () => Promise<AdminRecord>;
  /** With what stays of one's own changes. */
  onSettled: (values: Record<string, unknown>) => Promise<void>;
}

/** Somebody saved first: field by field what it was, what they made of it and what is typed here, to choose from. */
export function Conflict({ fields, was, read, onSettled }: Props) {
  const { getValues } = useFormContext();
  const [theirs, setTheirs] = useState<AdminRecord>();
  const [failure, setFailure] = useState<unknown>();
  const [choices, setChoices] = useState<Record<string, Side>>({});
  const [attempt, setAttempt] = useState(0);
  const [typed] = useState(() => getValues() as Record<string, unknown>);
  const id = useId();
  const latest = useRef(read);
  useEffect(() => {
    let current = true;
    latest.current().then(
      (found) => current && setTheirs(found),
      (error: unknown) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [attempt]);
  if (failure !== undefined) {
    const retry = () => {
      setFailure(undefined);
      setAttempt(attempt + 1);
    };
    return <ErrorNotice problem={problemOf(failure, 'It could not be read again', retry)} />;
  }
  if (!theirs) return <Bar w="60%" />;
  const found = differences(fields, was, theirs, typed);
  const disputed = found.filter((one) => one.disputed).length;
  return (
    <Box aria-labelledby={id}>
      <Title id={id}>What changed meanwhile</Title>
      <Text>
        {disputed === 0
          ? 'Nobody touched the same field: both changes can stand.'
          : `${disputed === 1 ? 'One field was' : `${disputed} fields were`} changed by both.`}
      </Text>
      {found.map((one) => (
        <Field
          key={one.field.name}
          one={one}
          records={{ was, theirs }}
          side={choices[one.field.name] ?? firstChoice(one)}
          onChoose={(side) => setChoices({ ...choices, [one.field.name]: side })}
        />
      ))}
      <div>
        <Button onClick={() => void onSettled(chosen(found, choices))}>Use these values</Button>
      </div>
    </Box>
  );
}

interface FieldProps {
  one: Difference;
  records: { was: AdminRecord; theirs: AdminRecord };
  side: Side;
  onChoose: (side: Side) => void;
}

function Field({ one, records, side, onChoose }: FieldProps) {
  const { field } = one;
  const shown = (value: unknown, record: AdminRecord) =>
    field.type === 'secret' ? (
      <>{value === undefined || value === '' ? 'As it was' : 'A new value'}</>
    ) : (
      <Fact field={field} value={value} record={record} />
    );
  const choice = (which: Side, label: string, value: unknown) => (
    <Choice>
      <input
        type="radio"
        name={`conflict-${field.name}`}
        checked={side === which}
        onChange={() => onChoose(which)}
      />
      <Whose>{label}</Whose>
      <span>{shown(value, records.theirs)}</span>
    </Choice>
  );
  return (
    <One>
      <Name>{field.label}</Name>
      <Was>Was: {shown(one.was, records.was)}</Was>
      {choice('mine', 'Mine', one.mine)}
      {choice('theirs', 'Theirs', one.theirs)}
    </One>
  );
}
