import styled from '@emotion/styled';
import { Button } from '../controls/Button';
import { paletteKeys, SINGLE_KEYS } from '../controls/keys';
import { FormDialog } from '../forms/FormDialog';
import { SwitchInput } from '../forms/SwitchInput';
import { useStored } from '../stored';
import { color, radius, space, type } from '../theme';
import type { Move } from './moves';

const Keys = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: `${space(2)} ${space(4)}`,
  alignItems: 'center',
});
const Key = styled('kbd')({
  ...type.mono,
  padding: `0 ${space(2)}`,
  marginRight: space(1),
  border: `1px solid ${color.line}`,
  borderRadius: radius.small,
});
const APP_KEYS: [keys: string[], what: string][] = [
  [[paletteKeys], 'Search and actions'],
  [['/'], 'Search'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open row'],
];
const What = styled('dd')({ ...type.body, margin: 0 });

interface Props {
  moves: readonly Move[];
  /** Whether the page has the command palette and lists. */
  isApp: boolean;
  onClose: () => void;
}

/** Every page's shortcuts, and the switch that turns off those without a modifier (WCAG 2.1.4). */
export function KeyHelp({ moves, isApp, onClose }: Props) {
  const [single, setSingle] = useStored(SINGLE_KEYS, 'on');
  const keys: [keys: string[], what: string][] = [
    ...(isApp ? APP_KEYS : []),
    ...moves.map(({ key, label }): [string[], string] => [['g', key], label]),
    [['?'], 'Show shortcuts'],
  ];
  return (
    <FormDialog open title="Keyboard shortcuts" onClose={onClose}>
      <Keys>
        {keys.map(([pressed, what]) => (
          <div key={what + pressed.join('')} style={{ display: 'contents' }}>
            <dt>
              {pressed.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <What>{what}</What>
          </div>
        ))}
      </Keys>
      <SwitchInput
        label="Single-key shortcuts"
        help={`Turn them off if they conflict with a screen reader or speech input.${isApp ? ` ${paletteKeys} always works, and finds this list.` : ''}`}
        checked={single === 'on'}
        onChange={(event) => setSingle(event.target.checked ? 'on' : 'off')}
      />
      <div>
        <Button onClick={onClose} autoFocus>
          Close
        </Button>
      </div>
    </FormDialog>
  );
}
