import styled from '@emotion/styled';
import { ActionButton } from '../controls/ActionButton';
import { Button } from '../controls/Button';
import { tabular, type } from '../theme';
import { Bar } from './selectionBarStyles';

const Words = styled('p')({ ...type.body, ...tabular, flex: '1 1 120px' });

interface BarAction {
  id: string;
  label: string;
  danger?: boolean;
  /** Why it applies to none of the selected rows. */
  reason: string | undefined;
  onSelect: () => void;
}

interface Props {
  /** "3 apps selected". */
  text: string;
  actions: readonly BarAction[];
  onClear: () => void;
}

/** Bulk actions for the selected rows, below the list. */
export function SelectionBar({ text, actions, onClear }: Props) {
  return (
    <Bar aria-label="Selection">
      <Words>{text}</Words>
      {actions.map(({ id, label, danger = false, reason, onSelect }) => (
        <ActionButton
          key={id}
          size="small"
          tone={danger ? 'danger' : 'neutral'}
          reason={reason}
          onClick={onSelect}
        >
          {label}…
        </ActionButton>
      ))}
      <Button size="small" variant="text" onClick={onClear}>
        Clear
      </Button>
    </Bar>
  );
}
