import DownloadIcon from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { Button } from './Button';
import { Spinner } from './Spinner';

interface Props {
  /** Whether its file is being created. */
  pending: boolean;
  /** Whether it is disabled; by default while its file is being created. */
  disabled?: boolean;
  isSmall?: boolean;
  onClick: () => void;
  /** The label: "Download CSV". */
  children: ReactNode;
}

/** Downloads a file that is created on demand. */
export function DownloadButton({ pending, disabled = pending, isSmall = false, onClick, children }: Props) {
  return (
    <Button
      {...(isSmall && { size: 'small' as const })}
      startIcon={pending ? <Spinner /> : <DownloadIcon />}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
