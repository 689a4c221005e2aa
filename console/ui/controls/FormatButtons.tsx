import type { ReactNode } from 'react';
import { DownloadButton } from './DownloadButton';

export interface FileFormat {
  format: 'csv' | 'xlsx';
  label: string;
  mime: string;
}

export const CSV = { format: 'csv', label: 'CSV', mime: 'text/csv' } as const satisfies FileFormat;
export const EXCEL = {
  format: 'xlsx',
  label: 'Excel',
  mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies FileFormat;

interface Props {
  formats: readonly FileFormat[];
  /** The format that is being created. */
  pending: FileFormat['format'] | undefined;
  /** What a button says: "Download CSV". */
  text: (label: string) => ReactNode;
  isSmall?: boolean;
  onChoose: (format: FileFormat) => void;
}

/** A download button for each format; none can be pressed while a file is being created. */
export function FormatButtons({ formats, pending, text, isSmall = false, onChoose }: Props) {
  return formats.map((one) => (
    <DownloadButton
      key={one.format}
      isSmall={isSmall}
      pending={pending === one.format}
      disabled={pending !== undefined}
      onClick={() => onChoose(one)}
    >
      {text(one.label)}
    </DownloadButton>
  ));
}
