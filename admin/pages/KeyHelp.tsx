import { Button } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { DialogActions } from '../../console/ui/forms/DialogActions';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { openKeyHelp } from '../../console/ui/layout/keyHelp';
import { color, radius, space, type } from '../../console/ui/theme';

const Keys = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: `${space(2)} ${space(4)}`,
  alignItems: 'center',
});
const Key = styled('kbd')({
  ...type.mono,
  padding: `0 ${space(2)}`,
  border: `1px solid ${color.line}`,
  borderRadius: radius.small,
});
const What = styled('dd')({ ...type.body, margin: 0 });

interface Props {
  editable: boolean;
  selectable: boolean;
  onClose: () => void;
}

/** Keyboard shortcuts of a list. */
export function KeyHelp({ editable, selectable, onClose }: Props) {
  const keys: [key: string, what: string][] = [
    ['/', 'Search'],
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['Enter', 'Open row'],
    ...(editable ? ([['e', 'Edit row']] as [string, string][]) : []),
    ...(selectable ? ([['x', 'Select row']] as [string, string][]) : []),
    ['?', 'Show shortcuts'],
  ];
  return (
    <FormDialog open title="Keyboard shortcuts" onClose={onClose}>
      <Keys>
        {keys.map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <Key>{key}</Key>
            </dt>
            <What>{what}</What>
          </div>
        ))}
      </Keys>
      <DialogActions onCancel={onClose} cancelLabel="Close" autoFocusCancel>
        <Button
          onClick={() => {
            onClose();
            openKeyHelp();
          }}
        >
          All shortcuts
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
