import { useState, type ComponentType, type ReactNode } from 'react';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { Preview } from './Preview';
import type { PreviewSearch } from './search';

interface Story<S> {
  states: readonly S[];
  /** The whole page in one state. */
  View: ComponentType<{ state: S; mayWrite: boolean }>;
  /** Its first answer alone, for the overview of all states. */
  Brief: ComponentType<{ state: S }>;
}

/** The network page of a CVM in all its states; the chosen one whole, of the others what they say first. */
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
      text="Whether people can reach a CVM, where, and its domains with what DNS says, as its page shows it. The data is made up; nothing is asked of a server."
      search={search}
      controls={
        <SwitchInput
          label="May change domains"
          checked={mayWrite}
          onChange={(event) => setMayWrite(event.target.checked)}
        />
      }
      stage={stage}
      states={states.map((state) => ({ id: state.id, name: state.name, node: <Brief state={state} /> }))}
    />
  );
}
