import { ActionButton } from '../../console/ui/controls/ActionButton';
import { Button } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import type { AdminBulkJob } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { Bar } from '../../console/ui/data/selectionBarStyles';
import { color, tabular, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { usePermissionRefusal } from '../session';
import { bulkOperations, tooMany, type BulkOperation, type Scope } from './bulk';
import { BulkDialog } from './BulkDialog';

const Words = styled('p')({
  ...type.body,
  ...tabular,
  flex: '1 1 200px',
  color: color.text,
});

interface Props {
  resource: ResourceDescription;
  fixed: Readonly<Record<string, unknown>>;
  /** Whether the list's total is an estimate. */
  estimated: boolean;
  onStarted: (job: AdminBulkJob) => void;
}

/** Number of selected rows and the bulk actions. */
export function BulkBar({ resource, fixed, estimated, onStarted }: Props) {
  const { selectedIds, data = [], total = 0, filterValues, onUnselectItems } = useListContext<AdminRecord>();
  const refusal = usePermissionRefusal();
  // The meaning of "all" when it was selected: another selection or filter resets it.
  const meaning = JSON.stringify([filterValues, fixed, selectedIds]);
  const [chosen, setChosen] = useState<string>();
  const all = chosen === meaning;
  const [operation, setOperation] = useState<BulkOperation>();
  const scope: Scope = all
    ? {
        kind: 'filter',
        filter: { ...(filterValues as object), ...fixed },
        total,
      }
    : { kind: 'ids', ids: selectedIds, total: selectedIds.length };
  const here = data.length > 0 && data.every(({ id }) => selectedIds.includes(id));
  const whole = here && selectedIds.length === data.length;
  const more = here && total > selectedIds.length;
  const noAll = tooMany(total, estimated);
  const clear = () => {
    setChosen(undefined);
    onUnselectItems();
  };
  return (
    <Bar aria-label="Selection">
      <Words role="status">
        {all
          ? `All ${count(total)} matching rows selected`
          : whole
            ? `All ${count(selectedIds.length)} on this page selected`
            : `${count(selectedIds.length)} selected`}
      </Words>
      {more && !all && (
        <ActionButton size="small" variant="text" reason={noAll} onClick={() => setChosen(meaning)}>
          {noAll === undefined ? `Select all ${count(total)} matching rows` : 'Too many matches'}
        </ActionButton>
      )}
      {bulkOperations(resource).map((one) => (
        <ActionButton
          key={one.name}
          size="small"
          variant="outlined"
          tone={one.danger ? 'danger' : 'neutral'}
          reason={refusal('admin.bulk.write') ?? refusal(one.permission)}
          onClick={() => setOperation(one)}
        >
          {one.label}…
        </ActionButton>
      ))}
      <Button size="small" variant="text" onClick={clear}>
        Clear
      </Button>
      {operation && (
        <BulkDialog
          resource={resource}
          operation={operation}
          scope={scope}
          onClose={() => setOperation(undefined)}
          onStarted={(job) => {
            setOperation(undefined);
            clear();
            onStarted(job);
          }}
        />
      )}
    </Bar>
  );
}
