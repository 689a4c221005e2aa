import { setCvmMovable } from '../../../../generated/api/sdk.gen';
import { ToggleRow } from './ToggleRow';

/** Whether a CVM may move to another host, losing its disk, instead of stopping with its host. */
export function MovableRow() {
  return (
    <ToggleRow
      name="Move to another host"
      field="movable"
      states={{ on: 'allowed', off: 'not allowed' }}
      verbs={{ on: 'Allow', off: 'Forbid' }}
      send={(options, movable) => setCvmMovable({ ...options, body: { movable } })}
      failed={() => 'Couldn’t change the setting'}
      danger={(on) => on}
      title={({ name }, on) => (on ? `Allow moving ${name} without its disk?` : `Forbid moving ${name}?`)}
      effects={(_cvm, on) =>
        on
          ? [
              'If its host is taken out of service, the CVM moves to another host without further notice.',
              'All data on its disk is lost. Its secrets, addresses and size are kept.',
            ]
          : ['If its host is taken out of service, the CVM is stopped after a notice.']
      }
    >
      When on, the CVM is recreated on another host with an empty disk if its host goes out of service. When
      off, it stops after a notice and keeps its disk.
    </ToggleRow>
  );
}
