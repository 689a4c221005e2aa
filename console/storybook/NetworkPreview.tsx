import { useState, type ComponentType, type ReactNode } from 'react';
import { SwitchInput } from '../ui/forms/SwitchInput';
import { Preview } from './Preview';
import type { PreviewSearch } from './search';

interface Story<S> {
  states: readonly S[];
  /** The whole page in one state. */
  View: ComponentType<{ state: S; mayWrite: boolean }>;
  /** Its first section, for the overview of all states. */
  Brief: ComponentType<{ state: S }>;
}

/** The CVM network page in all of its states: the selected one in full, and the first section of each. */
export function NetworkPreview<S extends { id: string; name: string }>({
  states,
  View,
  Brief,
  search,
}: Story<S> & { search: PreviewSearch }) {
  const [mayWrite, setMayWrite] = useState(true);
  const chosen = states.find(({ id }) => id === search.state) ?? states[0];
  const stage: ReactNode = chosen && <View key={chosen.id} state={chosen} mayWrite={mayWrite} />;
  return (
    <Preview
      title="Network"
      text="Shows whether a CVM is reachable, its addresses, and its domains with their DNS results. Uses sample data and no server."
      search={search}
      controls={
        <SwitchInput
          label="Can change domains"
          checked={mayWrite}
          onChange={(event) => setMayWrite(event.target.checked)}
        />
      }
      stage={stage}
      states={states.map((state) => ({ id: state.id, name: state.name, node: <Brief state={state} /> }))}
    />
  );
}
