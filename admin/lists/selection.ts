import { useListContext } from 'react-admin';
import type { Selection } from '../../console/ui/data/DataTable';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';

/** Whether the resource has any bulk action. */
export const isBulk = ({ permissions, actions }: ResourceDescription): boolean =>
  permissions.edit !== undefined ||
  permissions.delete !== undefined ||
  actions.some(({ bulk }) => bulk === true);

/** Selected rows across all pages of the list. */
export function useSelection(enabled: boolean): Selection | undefined {
  const { selectedIds, onToggleItem, onSelect, data = [] } = useListContext<AdminRecord>();
  if (!enabled) return undefined;
  const here = data.map(({ id }) => id);
  return {
    selected: new Set(selectedIds.map(String)),
    onToggle: (id) => {
      const record = data.find((one) => String(one.id) === id);
      if (record) onToggleItem(record.id);
    },
    onPage: (all) => {
      const others = selectedIds.filter((id) => !here.includes(id));
      onSelect(all ? [...others, ...here] : others);
    },
  };
}
