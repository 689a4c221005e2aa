import { useMemo } from 'react';
import type { CostGroup, UsageGroup } from '../../../../generated/api/types.gen';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import type { Problem } from '../../../ui/feedback/problem';
import { TextLink } from '../../../ui/link';
import { groupHref, groupId, groupName, groupsHeader, groupsNoun } from './groups';
import type { CostGrouping } from '../periods';

const NO_GROUPS: readonly never[] = [];

interface Props<G> {
  id: string;
  label: string;
  teamSlug: string;
  by: CostGrouping;
  /** Undefined during the first load. */
  groups: readonly G[] | undefined;
  /** The columns after the group's name. */
  columns: readonly Column<G>[];
  refreshing: boolean;
  problem: Problem | null;
}

/** What a period's cost or usage is divided into, each linked to its own page. */
export function GroupsTable<G extends CostGroup | UsageGroup>({
  teamSlug,
  by,
  groups,
  columns,
  ...table
}: Props<G>) {
  const among: readonly G[] = groups ?? NO_GROUPS;
  const header = groupsHeader(by, among);
  const all = useMemo(
    (): Column<G>[] => [
      {
        id: 'name',
        header,
        cell: (group) => {
          const href = groupHref(teamSlug, group);
          const name = <bdi>{groupName(group, among)}</bdi>;
          return href === undefined ? name : <TextLink href={href}>{name}</TextLink>;
        },
      },
      ...columns,
    ],
    [teamSlug, header, among, columns],
  );
  return (
    <DataTable
      {...table}
      noun={groupsNoun(by, among)}
      columns={all}
      rows={groups}
      rowId={groupId}
      rowName={(group) => groupName(group, among)}
      empty={<EmptyState picture="usage">No usage in this period.</EmptyState>}
    />
  );
}
