import { useDeferredValue, useState, type HTMLAttributes, type InputHTMLAttributes, type Ref } from 'react';
import { useGetList } from 'react-admin';
import { useForkRef, type useAutocomplete } from '../../console/ui/mui/useAutocomplete';
import { titleOf, type AdminRecord } from '../record';
import { matching, useOpenRecords } from './openRecords';
import { Control, None, Option, Options } from './pickerStyles';
import type { ResourceDescription } from './types';

/**
 * The text typed into a picker, and the server's matching records.
 * @param within filter for all matches; null while unknown
 */
export function useRecordSearch(
  resource: ResourceDescription,
  within: Readonly<Record<string, readonly string[]>> | null = {},
) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const open = useOpenRecords(resource);
  const { data = [] } = useGetList<AdminRecord>(
    resource.name,
    {
      pagination: { page: 1, perPage: 25 },
      sort: resource.sort,
      filter: { ...within, ...(q === '' ? {} : { q }) },
    },
    { enabled: within !== null && open === undefined },
  );
  return { typed, setTyped, q, data: open === undefined ? data : matching(open, q) };
}

/** Options of both pickers. The server already filtered; filtering again would hide matches in other fields. */
export const pickerOptions = (resource: ResourceDescription) => ({
  getOptionLabel: (record: AdminRecord) => titleOf(resource, record),
  isOptionEqualToValue: (a: AdminRecord, b: AdminRecord) => a.id === b.id,
  filterOptions: (options: AdminRecord[]) => options,
  openOnFocus: true,
});

interface Props {
  auto: ReturnType<typeof useAutocomplete<AdminRecord>>;
  resource: ResourceDescription;
  control: InputHTMLAttributes<HTMLInputElement>;
  attach: (element: HTMLInputElement | null) => void;
  /** Shown when there is nothing to choose. */
  none: string;
  detail?: (record: AdminRecord) => React.ReactNode;
}

/** The input and the list that opens below it. */
export function RecordPicker({ auto, resource, control, attach, none, detail }: Props) {
  const { ref: anchor, ...input } = auto.getInputProps() as ReturnType<typeof auto.getInputProps> & {
    ref?: Ref<HTMLInputElement>;
  };
  const ref = useForkRef(anchor, attach);
  return (
    <>
      <Control {...input} {...control} placeholder={`Search ${resource.plural}`} ref={ref} />
      {auto.popupOpen && auto.groupedOptions.length > 0 && (
        <Options {...auto.getListboxProps()} aria-label={resource.label}>
          {(auto.groupedOptions as AdminRecord[]).map((record, index) => {
            const { key: _, ...props } = auto.getOptionProps({ option: record, index }) as {
              key?: unknown;
            } & HTMLAttributes<HTMLLIElement>;
            return (
              <Option {...props} key={record.id}>
                {titleOf(resource, record)}
                {detail?.(record)}
              </Option>
            );
          })}
        </Options>
      )}
      {auto.popupOpen && auto.groupedOptions.length === 0 && (
        <Options as="div" role="status">
          <None>{none}</None>
        </Options>
      )}
    </>
  );
}
