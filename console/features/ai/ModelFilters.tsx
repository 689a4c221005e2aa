import styled from '@emotion/styled';
import { chosenOf, INPUTS, OUTPUTS, type ModalityFilter } from '../../lib/ai/modalities';
import { SelectInput } from '../../ui/forms/SelectInput';
import { space } from '../../ui/theme';

const Fields = styled('div')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 160px), 1fr))',
  maxWidth: 360,
  marginBottom: space(5),
});

interface Props {
  filter: ModalityFilter;
  onFilter: (filter: ModalityFilter) => void;
}

/** Filters the models by what they read and write. */
export function ModelFilters({ filter, onFilter }: Props) {
  return (
    <Fields role="search" aria-label="AI models">
      <SelectInput
        label="Reads"
        value={filter.reads ?? ''}
        choices={[{ value: '', label: 'Anything' }, ...INPUTS]}
        onChange={(event) => onFilter({ ...filter, reads: chosenOf(INPUTS, event.target.value)[0] })}
      />
      <SelectInput
        label="Writes"
        value={filter.writes ?? ''}
        choices={[{ value: '', label: 'Anything' }, ...OUTPUTS]}
        onChange={(event) => onFilter({ ...filter, writes: chosenOf(OUTPUTS, event.target.value)[0] })}
      />
    </Fields>
  );
}
