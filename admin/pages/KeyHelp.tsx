import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { FormDialog } from '../../console/ui/forms/FormDialog';
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

/** What the keyboard does in a list. */
export function KeyHelp({ editable, selectable, onClose }: Props) {
  const keys: [key: string, what: string][] = [
    ['/', 'Search'],
    ['j', 'Next row'],
    ['k', 'Row before'],
    ['Enter', 'Open the row'],
    ...(editable ? ([['e', 'Edit the row']] as [string, string][]) : []),
    ...(selectable ? ([['x', 'Select the row']] as [string, string][]) : []),
    ['?', 'This help'],
  ];
  return (
    <FormDialog open title="Keyboard" onClose={onClose}>
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
      <div>
        <Button onClick={onClose} autoFocus>
          Close
        </Button>
      </div>
    </FormDialog>
  );
}
