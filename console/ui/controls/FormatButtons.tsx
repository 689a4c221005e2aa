import type { ReactNode } from 'react';
import { DownloadButton } from './DownloadButton';

interface FileFormat {
  format: 'csv' | 'xlsx' | 'jsonl';
  label: string;
  mime: string;
}

export const CSV = { format: 'csv', label: 'CSV', mime: 'text/csv' } as const satisfies FileFormat;
export const EXCEL = {
  format: 'xlsx',
  label: 'Excel',
  mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies FileFormat;

/** Includes hashes, for `teehouse verify --file`. */
export const JSON_LINES = {
  format: 'jsonl',
  label: 'JSON Lines',
  mime: 'application/x-ndjson',
} as const satisfies FileFormat;

interface Props<Format extends FileFormat> {
  formats: readonly Format[];
  /** The format being created, if any. */
  pending: Format['format'] | undefined;
  /** Returns a button's label: "Download CSV". */
  text: (label: string) => ReactNode;
  isSmall?: boolean;
  onChoose: (format: Format) => void;
}

/** A download button per format, all disabled while a file is being created. */
export function FormatButtons<Format extends FileFormat>({
  formats,
  pending,
  text,
  isSmall = false,
  onChoose,
}: Props<Format>) {
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
