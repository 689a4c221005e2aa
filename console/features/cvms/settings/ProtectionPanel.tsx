import { protectCvm, unprotectCvm } from '../../../../generated/api/sdk.gen';
import { Panel } from '../../../ui/layout/Panel';
import { MovableRow } from './MovableRow';
import { SettingRows } from './SettingRow';
import { ToggleRow } from './ToggleRow';

export function ProtectionPanel() {
  return (
    <Panel title="Protection">
      <SettingRows>
        <ToggleRow
          name="Deletion protection"
          field="protected"
          states={{ on: 'on', off: 'off' }}
          tone="ok"
          verbs={{ on: 'Turn on', off: 'Turn off' }}
          send={(options, on) => (on ? protectCvm(options) : unprotectCvm(options))}
          failed={(on) => `Couldn’t turn ${on ? 'on' : 'off'} protection`}
          danger={(on) => !on}
          title={({ name }, on) => `Turn ${on ? 'on' : 'off'} deletion protection for ${name}?`}
          effects={({ scheduled_delete_at }, on) =>
            on
              ? [
                  'The CVM can’t be deleted until protection is turned off here.',
                  ...(scheduled_delete_at === null ? [] : ['Its scheduled deletion is canceled.']),
                ]
              : ['Team members and their tokens can delete this CVM again.']
          }
        >
          Prevents this CVM from being deleted in the console, through the API or by a schedule. Other actions
          still work. Turning it off requires confirming your identity.
        </ToggleRow>
        <MovableRow />
      </SettingRows>
    </Panel>
  );
}
