import { styled } from '@mui/material/styles';
import { useRef, useState } from 'react';
import { SwitchInput } from '../../../console/ui/forms/SwitchInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { space } from '../../../console/ui/theme';

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: `${space(3)} ${space(6)}`,
  marginBottom: space(4),
});

const TYPING_MS = 250;

interface Props {
  q: string;
  attention: boolean;
  /** Nodes that need a person, of all. */
  needing: number;
  change: (change: Record<string, string | null>) => void;
}

/** What is typed goes into the address when typing pauses. */
export function MapFilters({ q, attention, needing, change }: Props) {
  const [typed, setTyped] = useState({ text: q, of: q });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Another address (back, or all shown again) brings its own text.
  if (typed.of !== q) setTyped({ text: q, of: q });
  const type = (text: string) => {
    setTyped({ text, of: q });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ q: text }), TYPING_MS);
  };
  return (
    <Row>
      <TextInput
        type="search"
        label="Search"
        placeholder="Name, region or address"
        value={typed.text}
        maxLength={100}
        onChange={({ target: { value } }) => type(value)}
      />
      <SwitchInput
        label={`Only what needs a person (${needing})`}
        checked={attention}
        onChange={({ target: { checked } }) => change({ attention: checked ? 'true' : null })}
      />
    </Row>
  );
}
