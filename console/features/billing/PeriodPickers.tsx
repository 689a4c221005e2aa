import styled from '@emotion/styled';
import { SelectInput } from '../../ui/forms/SelectInput';
import { space } from '../../ui/theme';
import { PERIODS, type Period } from './periods';
import { periodTexts } from './texts';

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(3),
  marginBottom: space(4),
  '& > *': { flex: '0 1 200px', minWidth: 0 },
});

interface Props<G extends string> {
  period: Period | undefined;
  onPeriod: (period: Period) => void;
  group: G;
  groups: readonly { value: G; label: string }[];
  onGroup: (group: G) => void;
}

/** Selects the days shown and their grouping. */
export function PeriodPickers<G extends string>({ period, onPeriod, group, groups, onGroup }: Props<G>) {
  return (
    <Row>
      <SelectInput
        label="Period"
        value={period ?? 'month'}
        choices={PERIODS.map((value) => ({ value, label: periodTexts[value] }))}
        onChange={({ target }) => onPeriod(target.value as Period)}
      />
      <SelectInput
        label="Group by"
        value={group}
        choices={groups}
        onChange={({ target }) => onGroup(target.value as G)}
      />
    </Row>
  );
}
