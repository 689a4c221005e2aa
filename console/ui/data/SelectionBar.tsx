import styled from '@emotion/styled';
import { Button } from '../controls/Button';
import { ShutButton } from '../controls/ShutButton';
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
      {actions.map(({ id, label, danger = false, reason, onSelect }) => {
        const look = { size: 'small', tone: danger ? 'danger' : 'neutral' } as const;
        return reason === undefined ? (
          <Button key={id} {...look} onClick={onSelect}>
            {label}…
          </Button>
        ) : (
          <ShutButton key={id} {...look} reason={reason}>
            {label}…
          </ShutButton>
        );
      })}
      <Button size="small" variant="text" onClick={onClear}>
        Clear
      </Button>
    </Bar>
  );
}
