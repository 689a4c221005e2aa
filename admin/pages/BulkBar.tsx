import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import type { AdminBulkJob } from '../../generated/api/types.gen';
import { count } from '../../console/ui/data/count';
import { color, radius, shadow, space, tabular, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { usePermissionRefusal } from '../session';
import { bulkOperations, tooMany, type BulkOperation, type Scope } from './bulk';
import { BulkDialog } from './BulkDialog';

const Bar = styled('section')({
  position: 'sticky',
  bottom: space(4),
  zIndex: 3,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
  marginTop: space(3),
  padding: `${space(2)} ${space(3)}`,
  borderRadius: radius.panel,
  border: `1px solid ${color.line}`,
  backgroundColor: color.raised,
  boxShadow: shadow.raised,
});
const Words = styled('p')({ ...type.body, ...tabular, flex: '1 1 200px', color: color.text });

interface Props {
  resource: ResourceDescription;
  fixed: Readonly<Record<string, unknown>>;
  /** The list's total is about right. */
  estimated: boolean;
  onStarted: (job: AdminBulkJob) => void;
}

/** How many rows are taken, and what can be done to them. */
export function BulkBar({ resource, fixed, estimated, onStarted }: Props) {
  const { selectedIds, data = [], total = 0, filterValues, onUnselectItems } = useListContext<AdminRecord>();
  const refusal = usePermissionRefusal();
  const [all, setAll] = useState(false);
  const [operation, setOperation] = useState<BulkOperation>();
  const scope: Scope = all
    ? { kind: 'filter', filter: { ...(filterValues as object), ...fixed }, total }
    : { kind: 'ids', ids: selectedIds, total: selectedIds.length };
  const here = data.length > 0 && data.every(({ id }) => selectedIds.includes(id));
  const whole = here && selectedIds.length === data.length;
  const more = here && total > selectedIds.length;
  const noAll = tooMany(total, estimated);
  const clear = () => {
    setAll(false);
    onUnselectItems();
  };
  return (
    <Bar aria-label="Selection">
      <Words role="status">
        {all
          ? `All ${count(total)} that match`
          : whole
            ? `All ${count(selectedIds.length)} on this page`
            : `${count(selectedIds.length)} selected`}
      </Words>
      {more && !all && (
        <Button
          size="small"
          variant="text"
          disabled={noAll !== undefined}
          {...(noAll === undefined ? {} : { title: noAll })}
          onClick={() => setAll(true)}
        >
          {noAll === undefined ? `Select all ${count(total)} that match` : 'Too many match'}
        </Button>
      )}
      {bulkOperations(resource).map((one) => {
        const refused = refusal('admin.bulk.write') ?? refusal(one.permission);
        return (
          <Button
            key={one.name}
            size="small"
            variant="outlined"
            color={one.danger ? 'error' : 'inherit'}
            disabled={refused !== undefined}
            {...(refused === undefined ? {} : { title: refused })}
            onClick={() => setOperation(one)}
          >
            {one.label}…
          </Button>
        );
      })}
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
