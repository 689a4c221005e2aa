import { useStored } from '../stored';

export interface TableLook {
  /** In the format of `chooseColumn`; '' means the defaults. */
  columns: string;
  isDense: boolean;
  onColumns: (columns: string) => void;
  onDense: (dense: boolean) => void;
}

/** The look of the table with this ID, stored on this device. */
export function useOwnLook(id: string): TableLook {
  const [columns, onColumns] = useStored(`columns:${id}`, '');
  const [density, setDensity] = useStored(`density:${id}`, '');
  return {
    columns,
    isDense: density === 'compact',
    onColumns,
    onDense: (dense) => setDensity(dense ? 'compact' : ''),
  };
}
