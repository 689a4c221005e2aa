import DownloadIcon from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { PendingButton } from './PendingButton';

interface Props {
  /** Whether its file is being created. */
  pending: boolean;
  /** Whether it is unavailable, because another file is being created. */
  disabled?: boolean;
  isSmall?: boolean;
  onClick: () => void;
  /** The label: "Download CSV". */
  children: ReactNode;
}

/** Downloads a file that is created on demand. */
export function DownloadButton({ pending, disabled = false, isSmall = false, onClick, children }: Props) {
  return (
    <PendingButton
      {...(isSmall && { size: 'small' as const })}
      startIcon={<DownloadIcon />}
      pending={pending}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </PendingButton>
  );
}
