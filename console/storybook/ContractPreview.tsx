import { useState, type ComponentType } from 'react';
import { BEHAVIORS, type Behavior } from '../lib/wallets/storyWallet';
import { SelectInput } from '../ui/forms/SelectInput';
import { Preview } from './Preview';
import type { PreviewSearch } from './search';

/** A screen about an app's contract in all of its states, with a scripted wallet. */
export function ContractPreview<S extends { id: string; name: string }>({
  title,
  text,
  states,
  View,
  search,
}: {
  title: string;
  text: string;
  states: readonly S[];
  View: ComponentType<{ state: S; behavior: Behavior }>;
  search: PreviewSearch;
}) {
  const [behavior, setBehavior] = useState<Behavior>('sends');
  const chosen = states.find(({ id }) => id === search.state) ?? states[0];
  return (
    <Preview
      title={title}
      text={text}
      search={search}
      controls={
        <SelectInput
          label="Wallet"
          value={behavior}
          choices={Object.entries(BEHAVIORS).map(([value, label]) => ({ value, label }))}
          onChange={(event) => setBehavior(event.target.value as Behavior)}
        />
      }
      stage={chosen && <View key={chosen.id} state={chosen} behavior={behavior} />}
      states={states.map(({ id, name }) => ({ id, name }))}
      isScreen
    />
  );
}
