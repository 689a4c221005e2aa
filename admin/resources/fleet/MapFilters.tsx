import styled from '@emotion/styled';
import { SwitchInput } from '../../../console/ui/forms/SwitchInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { space } from '../../../console/ui/theme';
import { useTypedSearch } from '../../../console/ui/useTypedSearch';
import type { SearchChange } from '../searchAddress';

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: `${space(3)} ${space(6)}`,
  marginBottom: space(4),
});

interface Props {
  q: string | undefined;
  attention: boolean;
  /** Number of nodes that need attention. */
  needing: number;
  change: (change: SearchChange, options?: { replace: boolean }) => void;
}

/** Search and filters of the map. Updates the address when typing pauses, without adding to the history. */
export function MapFilters({ q, attention, needing, change }: Props) {
  const [typed, setTyped] = useTypedSearch(q, (text) => change({ q: text ?? null }, { replace: true }));
  return (
    <Row>
      <TextInput
        type="search"
        label="Search"
        placeholder="Name, region or address"
        value={typed}
        maxLength={100}
        onChange={({ target: { value } }) => setTyped(value)}
      />
      <SwitchInput
        label={`Needs attention only (${needing})`}
        checked={attention}
        onChange={({ target: { checked } }) => change({ attention: checked ? 'true' : null })}
      />
    </Row>
  );
}
