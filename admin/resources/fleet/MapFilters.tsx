import styled from '@emotion/styled';
import { useRef, useState } from 'react';
import { SwitchInput } from '../../../console/ui/forms/SwitchInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { space } from '../../../console/ui/theme';
import type { MapChange } from './mapAddress';

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: `${space(3)} ${space(6)}`,
  marginBottom: space(4),
});

const DEBOUNCE_MS = 250;

interface Props {
  q: string;
  attention: boolean;
  /** Number of nodes that need attention. */
  needing: number;
  change: (change: MapChange) => void;
}

/** Search and filters of the map. Updates the address when typing pauses. */
export function MapFilters({ q, attention, needing, change }: Props) {
  const [typed, setTyped] = useState({ text: q, of: q });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Navigation (Back, Clear) resets the text.
  if (typed.of !== q) setTyped({ text: q, of: q });
  const type = (text: string) => {
    setTyped({ text, of: q });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ q: text === '' ? null : text }), DEBOUNCE_MS);
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
        label={`Needs attention only (${needing})`}
        checked={attention}
        onChange={({ target: { checked } }) => change({ attention: checked ? 'true' : null })}
      />
    </Row>
  );
}
