import { Button } from '../../../ui/controls/Button';
import { Panel } from '../../../ui/layout/Panel';
import { color } from '../../../ui/theme';
import { SettingRow, SettingRows } from '../../cvms/settings/SettingRow';
import type { Change } from './ChangeDialog';
import type { DangerChange } from './policyChanges';

/** Actions that give up control over the contract, separate from everyday ones. */
export function DangerActions({
  changes,
  onChange,
}: {
  changes: readonly DangerChange[];
  onChange: (change: Change) => void;
}) {
  return (
    <Panel title="Ownership and upgrades">
      <SettingRows style={{ borderColor: color.errorSolid }}>
        {changes.map((change) => (
          <SettingRow
            key={change.title}
            name={change.title}
            action={
              <Button tone="danger" variant="outlined" onClick={() => onChange(change)}>
                {change.label}
              </Button>
            }
          >
            {change.about}
          </SettingRow>
        ))}
      </SettingRows>
    </Panel>
  );
}
