import type { VaultLock } from '../../../../generated/api/types.gen';
import type { MenuAction } from '../../../ui/controls/MenuButton';

/** Returns the actions on one of a vault's unlock methods. The server keeps the last one. */
export const lockActions = (locks: readonly VaultLock[], onRemove: () => void): MenuAction[] => [
  {
    id: 'remove',
    label: 'Remove',
    danger: true,
    onSelect: onRemove,
    ...(locks.length > 1
      ? {}
      : { disabledReason: 'Your only unlock method. Add another first, or delete the vault.' }),
  },
];
