import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { RemoveChip } from '../controls/RemoveChip';
import { Tip } from '../controls/Tip';
import { focusBefore } from '../focusBefore';
import { color, radius, space, truncated, type } from '../theme';

export interface Filter {
  id: string;
  /** "Status", "Region". */
  label: string;
  /** "Running". */
  value: string;
}

const Row = styled('ul')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(1.5) });
const Chip = styled('li')({
  ...type.small,
  display: 'inline-flex',
  alignItems: 'center',
  height: 26,
  maxWidth: '100%',
  paddingLeft: space(2),
  borderRadius: radius.control,
  backgroundColor: color.accentSoft,
  color: color.text,
});
const Label = styled('span')({ color: color.muted, marginRight: space(1.5), whiteSpace: 'nowrap' });
const Value = styled('span')({
  fontWeight: 500,
  ...truncated,
});
/** Active filters, each removable, and a button to clear all. */
export function FilterChips({
  filters,
  onRemove,
  onClear,
}: {
  filters: readonly Filter[];
  onRemove: (id: string) => void;
  onClear: () => void;
}) {
  if (filters.length === 0) return null;
  return (
    <Row aria-label="Filters">
      {filters.map((filter) => (
        <Chip key={filter.id}>
          <Label>{filter.label}</Label>
          <Value title={filter.value}>{filter.value}</Value>
          <Tip text="Remove filter">
            <RemoveChip
              aria-label={`Remove filter ${filter.label}: ${filter.value}`}
              onClick={({ currentTarget }) => {
                // The focused button disappears with its chip; the next one takes the focus.
                if (filters.length === 1) focusBefore(currentTarget);
                else currentTarget.closest('li')?.nextElementSibling?.querySelector('button')?.focus();
                onRemove(filter.id);
              }}
            />
          </Tip>
        </Chip>
      ))}
      <li>
        <Button
          size="small"
          variant="text"
          onClick={({ currentTarget }) => {
            focusBefore(currentTarget.closest('ul') ?? currentTarget);
            onClear();
          }}
        >
          Clear
        </Button>
      </li>
    </Row>
  );
}
